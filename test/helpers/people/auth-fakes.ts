// Fakes of the ports that use cases of signing in work with: they record every call in order, and fail on one without an answer.
import assert from 'node:assert/strict';
import type { LimitStore } from '../../../src/abuse/limit-store.ts';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { makeSigningKey, openSigningKey, type SigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { brakePolicy, noon, otpPolicy, sendPolicy, sessionPolicy } from '../store/fixtures.ts';

/** The counters of the store. `calls`: what was asked of `list`. */
/** The limits and the brake of every stage: one rule of each is on. */
export const stageSends = { ...sendPolicy, resendAfterSeconds: [30] };
export const stageBrake = { ...brakePolicy, perDay: 1000 };

export function createLimits(rows: Readonly<Record<string, unknown>>): { limits: LimitStore; calls: unknown[] } {
  const calls: unknown[] = [];
  const limits: LimitStore = {
    read: () => assert.fail('read'),
    clear: () => assert.fail('cleared'),
    list: async (input) => {
      calls.push(input);
      const found = Object.entries(rows).filter(([id]) => id.startsWith(input.prefix));
      return found.map(([id, value]) => ({ id, value }));
    },
  };
  return { limits, calls };
}

export const secrets = createSecrets('the secret of these tests '.repeat(2), 'the secret before it '.repeat(2));
export const accessToken = { issuer: 'https://login.example', audience: 'api.example', lifeSeconds: 900 };

let madeKey: SigningKey | undefined;

/** Made once: a key costs more than a test. */
export function signingKey(): SigningKey {
  madeKey ??= openSigningKey(secrets, makeSigningKey(secrets, 1, noon, noon)) ?? assert.fail('no key');
  return madeKey;
}

export type Call = readonly [verb: string, ...given: unknown[]];

type Ports = Pick<
  AuthDeps,
  | 'captcha'
  | 'sendRequests'
  | 'signIns'
  | 'sessions'
  | 'proofs'
  | 'users'
  | 'links'
  | 'bindings'
  | 'phones'
  | 'notices'
  | 'scheduledPhones'
  | 'revocations'
>;

/** The verbs that a test expects. Every other verb of a port fails. */
export type Answers = { readonly [Name in keyof Ports]?: Partial<Ports[Name]> };

type AuthStage = { readonly deps: AuthDeps; readonly calls: Call[] };

/** Everything that use cases need, with a clock at noon and without limits. `changes` replaces settings. */
export function createAuthStage(answers: Answers = {}, changes: Partial<AuthDeps> = {}): AuthStage {
  const calls: Call[] = [];
  const port = <Name extends keyof Ports>(name: Name): Ports[Name] => {
    const answer =
      (verb: string | symbol) =>
      (...given: unknown[]) => {
        calls.push([`${name}.${String(verb)}`, ...given]);
        const known = (answers[name] as Record<string | symbol, ((...given: unknown[]) => unknown) | undefined>)?.[
          verb
        ];
        return (known ?? assert.fail(`${name}.${String(verb)} is called`))(...given);
      };
    return new Proxy({}, { get: (_, verb) => answer(verb) }) as Ports[Name];
  };
  const deps: AuthDeps = {
    clock: { now: () => noon },
    secrets,
    keyRing: {
      refresh: () => assert.fail('keys are refreshed'),
      findOrReload: () => assert.fail('keys are reloaded'),
      jwks: () => assert.fail('keys are listed'),
      find: (id) => (id === signingKey().id ? signingKey() : undefined),
      signer: signingKey,
    },
    captcha: port('captcha'),
    sendRequests: port('sendRequests'),
    signIns: port('signIns'),
    sessions: port('sessions'),
    proofs: port('proofs'),
    users: port('users'),
    links: port('links'),
    bindings: port('bindings'),
    phones: port('phones'),
    notices: port('notices'),
    scheduledPhones: port('scheduledPhones'),
    revocations: port('revocations'),
    testRecipients: [],
    otp: { sms: otpPolicy, mail: { ...otpPolicy, lifeSeconds: 900, attempts: 7 } },
    sends: { sms: stageSends, mail: { ...sendPolicy, resendAfterSeconds: [60] } },
    brake: stageBrake,
    phoneTypes: ['mobile', 'fixed-or-mobile', 'fixed', 'voip'],
    accessToken,
    sessionPolicy,
    linkLifeSeconds: 1200,
    recentSeconds: 600,
    phoneRecoveryWaitSeconds: 72 * 3600,
    phoneRecycledSeconds: 180 * 86_400,
    isSignupOpen: true,
    noticeChoice: 'mail',
    removeBytes: async (ids) => {
      calls.push(['removeBytes', ids]);
    },
    holdMessage: () => undefined,
    wakeDelivery: (channel) => {
      calls.push(['wakeDelivery', channel]);
    },
    ...changes,
  };
  return { deps, calls };
}

/** What a call was given. Fails if the verb was not called exactly once. */
export function givenTo<Given>(calls: readonly Call[], verb: string): Given {
  const found = calls.filter(([name]) => name === verb);
  assert.equal(found.length, 1, `${verb} is called ${found.length} times`);
  return found[0]?.[1] as Given;
}

/** The code and detail of the failure that the work ends with. */
export async function failureOf(work: Promise<unknown>): Promise<[code: string, detail: object]> {
  const error = await work.then(
    () => assert.fail('it succeeds'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Failure, String(error));
  return [error.code, error.detail];
}

/** Like failureOf, for work that is done at once. */
export function thrownCode(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return error.code;
  }
  return assert.fail('it succeeds');
}
