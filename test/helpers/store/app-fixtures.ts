// What tests of apps give to the store: a code of a session, its exchange, and a signed-in user with a session of an app.

import type { Authorization, CodeExchange } from '../../../src/apps/app-store.ts';
import type { AppScope } from '../../../src/apps/clients/app.ts';
import { newId, randomText } from '../../../src/kernel/crypto/random.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asSessionId } from '../people/ids.ts';
import { minute, newPhone, noon, sessionPolicy, signIn } from './fixtures.ts';

export const appId = 'shop';
const redirectUri = 'https://shop.example/back';

export function authorization(session: string, now: number, changes: Partial<Authorization> = {}): Authorization {
  return {
    sessionId: asSessionId(session),
    codeHash: randomText(16),
    appId,
    redirectUri,
    scopes: ['openid', 'phone'],
    nonce: 'a nonce',
    challenge: 'a challenge',
    provedAfter: undefined,
    consentedAfter: undefined,
    actedAfter: undefined,
    expiresAt: now + minute,
    policy: sessionPolicy,
    now,
    ...changes,
  };
}

export function exchange(codeHash: string, now: number, changes: Partial<CodeExchange> = {}): CodeExchange {
  const session = {
    id: asSessionId(newId()),
    seedHash: randomText(16),
    userAgent: 'Shop/1',
    ip: '192.0.2.7',
    policy: sessionPolicy,
    now,
  };
  return { codeHash, appId, redirectUri, challenge: 'a challenge', needsConsent: false, session, ...changes };
}

/** A code of the session. Throws if it gets none. */
export async function codeOf(ports: Ports, sessionId: string, now: number, changes: Partial<Authorization> = {}) {
  const given = authorization(sessionId, now, changes);
  const { kind } = await ports.appStore.authorize(given);
  if (kind !== 'issued') throw new Error(`no code: ${kind}`);
  return given.codeHash;
}

/** A session of an app that comes from the session. */
export async function startApp(
  ports: Ports,
  sessionId: string,
  now: number,
  { app = appId, scopes = ['openid'] as readonly AppScope[], perUser = sessionPolicy.perUser } = {},
) {
  const codeHash = await codeOf(ports, sessionId, now, { appId: app, scopes });
  const given = exchange(codeHash, now, { appId: app });
  const session = { ...given.session, policy: { ...sessionPolicy, perUser } };
  const started = await ports.appStore.exchangeCode({ ...given, session });
  if (started.kind !== 'started') throw new Error('no session');
  return { ...session, codeHash, started };
}

export const signedIn = (ports: Ports, now = noon, phone = newPhone()) => signIn(ports, phone, now);
