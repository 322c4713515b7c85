// The calls about the user: sign in by phone or link, add an e-mail address, account and sessions.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { AskKeeper } from './ask-keeper.ts';
import type { Captcha } from './captcha.ts';
import type { DeviceKeeper } from './device-keeper.ts';
import { endsSession } from './ends-session.ts';
import type { Events } from './events.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { createPhoneCalls } from './phone-calls.ts';
import { retry } from './retry.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Lock } from './tab-lock.ts';
import type { Wire } from './wire.ts';

/** The path to go on with if the user signs in to an app by OpenID Connect. */
export type LinkTarget = Pick<Calls['signInWithLink']['data'], 'continueTo'>;

export type SignOutScope = 'local' | 'others' | 'global';

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly captcha: Captcha;
  readonly asks: AskKeeper;
  readonly devices: DeviceKeeper;
  readonly keeper: SessionKeeper;
  readonly events: Events;
  readonly lock: Lock;
};

export function createAuthCalls({ wire, access, captcha, asks, devices, keeper, events, lock }: Parts) {
  /** Holds the lock, because a renewal of the previous session could otherwise restore its cookies. */
  const startSession = (request: () => Promise<Calls['signInWithPhone']['data']>): Promise<void> =>
    lock(async () => {
      const { session } = await keeper.keep(await request());
      events.emit({ kind: 'signed-in', session });
    });

  const signInWithPhone = (phone: string, code: string): Promise<void> =>
    startSession(async () => {
      const headers = { ...(await asks.headers()), ...(await devices.headers()) };
      const body = { phone, otp: code };
      const pair = await wire('signInWithPhone', { body, headers, onHeaders: devices.keep });
      await asks.forget();
      return pair;
    });
  const claimPhone = (ticket: string): Promise<void> =>
    startSession(async () =>
      wire('claimPhone', { body: { ticket }, headers: await devices.headers(), onHeaders: devices.keep }),
    );
  const signInWithLink = async (token: string): Promise<LinkTarget> => {
    let continueTo: string | null = null;
    await startSession(async () => {
      const headers = await devices.headers();
      const data = await wire('signInWithLink', { body: { token }, headers, onHeaders: devices.keep });
      ({ continueTo } = data);
      return data;
    });
    return { continueTo };
  };
  const signOut = async (scope: SignOutScope = 'local'): Promise<void> => {
    if (scope === 'others') return void (await access.run((headers) => wire('signOut', { body: { scope }, headers })));
    const seen = await keeper.read();
    await access
      .run((headers) => wire('signOut', { body: { scope }, headers }))
      .catch((error: unknown) => {
        // Without a session there is no token to send, and nothing to end.
        const isNothing = seen === undefined && toGatehouseError(error).code === 'ACCESS_TOKEN_MISSING';
        if (!isNothing && !endsSession(error)) throw error;
      });
    await keeper.end(seen, 'logged-out');
  };

  return {
    phone: {
      /**
       * Sends a one-time code by SMS. Solves the captcha itself.
       * @example
       * await gatehouse.phone.sendCode('+12025550123');
       */
      sendCode: async (phone: string): Promise<void> => {
        const body = { recipient: phone };
        await captcha.run('send-phone-code', (headers) =>
          wire('sendPhoneOtp', { body, headers: { ...headers, ...asks.requestHeaders }, onHeaders: asks.keep }),
        );
      },
      /**
       * Signs in with the code from the SMS. The first sign-in of a phone number creates the account.
       * @example
       * await gatehouse.phone.signIn('+12025550123', '482913');
       */
      signIn: signInWithPhone,
      /**
       * Starts a new account with a number that had another user before: `phone.signIn` failed with `PHONE_NEEDS_PROOF`, and the
       * error holds the ticket. Ask the user first. The old account keeps its e-mail address and files, and loses the number.
       * @example
       * try {
       *   await gatehouse.phone.signIn('+12025550123', '482913');
       * } catch (error) {
       *   if (!(error instanceof GatehouseError) || error.proofTicket === undefined) throw error;
       *   if (confirm('Start a new account?')) await gatehouse.phone.claim(error.proofTicket);
       * }
       */
      claim: claimPhone,
      ...createPhoneCalls({ wire, access, captcha, asks, devices }),
    },
    email: {
      /**
       * Sends a sign-in link, if the e-mail address belongs to an account. Succeeds if it does not, too. The ticket is for the
       * sign-in page of the service: the link then goes on to the app that the user signs in to.
       * @example
       * await gatehouse.email.sendLink('ann@example.com');
       */
      sendLink: async (email: string, ticket?: string): Promise<void> => {
        const body = { recipient: email, ...(ticket !== undefined && { ticket }) };
        await captcha.run('send-login-link', (headers) => wire('sendLoginLink', { body, headers }));
      },
      /**
       * Returns the masked account of a sign-in link, and whether this browser requested the link. Does not use the link up.
       * @example
       * const token = location.hash.slice(1);
       * const { account, sameBrowser } = await gatehouse.email.checkLink(token);
       * if (sameBrowser || confirm(`Sign in as ${account}?`)) await gatehouse.email.signIn(token);
       */
      checkLink: (token: string): Promise<Calls['checkLink']['data']> => wire('checkLink', { body: { token } }),
      /**
       * Signs in with the token of a link: the part after the `#`. A link works once.
       * @example
       * await gatehouse.email.signIn(location.hash.slice(1));
       */
      signIn: signInWithLink,
      /**
       * Sends a code to an e-mail address that the signed-in user wants to add to the account.
       * @example
       * await gatehouse.email.sendCode('ann@example.com');
       */
      sendCode: async (email: string): Promise<void> => {
        const body = { recipient: email };
        await captcha.run('send-email-code', (headers) =>
          access.run((authorization) =>
            wire('sendBindingOtp', {
              body,
              headers: { ...authorization, ...headers, ...asks.requestHeaders },
              onHeaders: asks.keep,
            }),
          ),
        );
      },
      /**
       * Adds the e-mail address to the account, or replaces the previous one. Needs the code that was sent to it. Replacing needs a
       * recent sign-in: see `withProof`.
       * @example
       * await gatehouse.email.bind('ann@example.com', '482913');
       */
      bind: async (email: string, code: string): Promise<void> => {
        const askHeaders = await asks.headers();
        await access.run((headers) =>
          wire('bindEmail', { body: { email, otp: code }, headers: { ...headers, ...askHeaders } }),
        );
        await asks.forget();
      },
      /**
       * Removes the e-mail address from the account. The user can then sign in by phone only.
       * @example
       * await gatehouse.email.remove();
       */
      remove: async (): Promise<void> => {
        await access.run((headers) => wire('removeEmail', { headers }));
      },
    },
    /**
     * Ends every session of the account that a notice is about: the user says “this was not me”. The token is the part of the
     * link after the `#`. A link works once, within 72 hours.
     * @example
     * await gatehouse.reportNotMe(location.hash.slice(1));
     */
    reportNotMe: async (token: string): Promise<void> => {
      await wire('reportNotMe', { body: { token } });
    },
    /**
     * Returns the account of the signed-in user.
     * @example
     * const { id, phone, email } = await gatehouse.me();
     */
    me: (): Promise<Calls['me']['data']> => access.run((headers) => retry(() => wire('me', { headers }))),
    /**
     * Ends this session (`local`, the default), all other sessions (`others`) or all sessions (`global`).
     * `local` and `global` succeed if the user is already signed out.
     * @example
     * await gatehouse.signOut();
     */
    signOut,
    /**
     * Deletes the account of the signed-in user with its sessions and files. This cannot be undone. Needs a recent sign-in.
     * @example
     * await gatehouse.withProof(() => gatehouse.deleteAccount(), () => prompt('The code from the SMS'));
     */
    deleteAccount: async (): Promise<void> => {
      const seen = await keeper.read();
      await access.run((headers) => wire('deleteAccount', { headers }));
      await devices.forget();
      await keeper.end(seen, 'deleted');
    },
    sessions: {
      /**
       * Returns the sessions of the signed-in user: where the account is signed in.
       * @example
       * for (const { userAgent, current } of await gatehouse.sessions.list()) console.log(userAgent, current);
       */
      list: async (): Promise<Calls['listSessions']['data']['sessions']> =>
        (await access.run((headers) => retry(() => wire('listSessions', { headers })))).sessions,
      /**
       * Ends one session of the signed-in user by its ID.
       * @example
       * const other = (await gatehouse.sessions.list()).find(({ current }) => !current);
       * if (other) await gatehouse.sessions.end(other.id);
       */
      end: async (id: string): Promise<void> => {
        const seen = await keeper.read();
        await access.run((headers) => wire('endSession', { id, headers }));
        if (seen?.session === id) await keeper.end(seen, 'logged-out');
      },
    },
  };
}
