// The calls about a person: signing in by phone or link, binding an address, the account and its sessions.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { AskKeeper } from './ask-keeper.ts';
import type { Captcha } from './captcha.ts';
import type { Events } from './events.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { retry } from './retry.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Lock } from './tab-lock.ts';
import type { Wire } from './wire.ts';

export type SignOutScope = 'local' | 'others' | 'global';

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly captcha: Captcha;
  readonly asks: AskKeeper;
  readonly keeper: SessionKeeper;
  readonly events: Events;
  readonly lock: Lock;
};

export function createAuthCalls({ wire, access, captcha, asks, keeper, events, lock }: Parts) {
  /** Alone, because a renewal of the session before could otherwise bring its cookies back. */
  const enter = (ask: () => Promise<Calls['signInWithPhone']['data']>): Promise<void> =>
    lock(async () => {
      const { session } = await keeper.keep(await ask());
      events.tell({ kind: 'signed-in', session });
    });

  const signInWithPhone = (phone: string, code: string): Promise<void> =>
    enter(async () => {
      const pair = await wire('signInWithPhone', { body: { phone, otp: code }, headers: await asks.headers() });
      await asks.forget();
      return pair;
    });
  const signInWithLink = (token: string): Promise<void> => enter(() => wire('signInWithLink', { body: { token } }));
  const signOut = async (scope: SignOutScope = 'local'): Promise<void> => {
    if (scope === 'others') return void (await access.run((headers) => wire('signOut', { body: { scope }, headers })));
    const seen = await keeper.read();
    await access
      .run((headers) => wire('signOut', { body: { scope }, headers }))
      .catch((error: unknown) => {
        if (toGatehouseError(error).status !== 401) throw error;
      });
    await keeper.end(seen, 'logged-out');
  };

  return {
    phone: {
      sendCode: async (phone: string): Promise<void> => {
        const body = { recipient: phone };
        await captcha.run('send-phone-code', (headers) =>
          wire('sendPhoneOtp', { body, headers: { ...headers, ...asks.wish }, hear: asks.keep }),
        );
      },
      signIn: signInWithPhone,
      /** @deprecated Use `phone.signIn`. */
      logIn: signInWithPhone,
    },
    email: {
      sendLink: async (email: string): Promise<void> => {
        const body = { recipient: email };
        await captcha.run('send-login-link', (headers) => wire('sendLoginLink', { body, headers }));
      },
      /** Whose link it is, masked, and whether this browser asked for it; the link stays unused. */
      checkLink: (token: string): Promise<Calls['checkLink']['data']> => wire('checkLink', { body: { token } }),
      signIn: signInWithLink,
      /** @deprecated Use `email.signIn`. */
      logIn: signInWithLink,
      sendCode: async (email: string): Promise<void> => {
        const body = { recipient: email };
        await captcha.run('send-email-code', (headers) =>
          access.run((own) =>
            wire('sendBindingOtp', { body, headers: { ...own, ...headers, ...asks.wish }, hear: asks.keep }),
          ),
        );
      },
      bind: async (email: string, code: string): Promise<void> => {
        const asked = await asks.headers();
        await access.run((headers) =>
          wire('bindEmail', { body: { email, otp: code }, headers: { ...headers, ...asked } }),
        );
        await asks.forget();
      },
    },
    me: (): Promise<Calls['me']['data']> => access.run((headers) => retry(() => wire('me', { headers }))),
    /** `local`: this session, `others`: all but this one, `global`: all. It succeeds if the user is already signed out. */
    signOut,
    /** @deprecated Use `signOut`. */
    logOut: signOut,
    deleteAccount: async (): Promise<void> => {
      const seen = await keeper.read();
      await access.run((headers) => wire('deleteAccount', { headers }));
      await keeper.end(seen, 'deleted');
    },
    sessions: {
      list: async (): Promise<Calls['listSessions']['data']['sessions']> =>
        (await access.run((headers) => retry(() => wire('listSessions', { headers })))).sessions,
      end: async (id: string): Promise<void> => {
        const seen = await keeper.read();
        await access.run((headers) => wire('endSession', { id, headers }));
        if (seen?.session === id) await keeper.end(seen, 'logged-out');
      },
    },
  };
}
