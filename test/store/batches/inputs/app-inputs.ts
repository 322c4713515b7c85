// Inputs of the operations on codes, consents and sessions of apps.
import fc from 'fast-check';
import { readScopes } from '../../../../src/apps/clients/app.ts';
import { asSessionId } from '../../../helpers/people/ids.ts';
import { appIds, codeHashes, scopeTexts } from '../app-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { favour, few, hour, idAt, minute, moment, momentOf, noon, pick, sessionIds, userIds } from '../pool.ts';
import { userRows } from '../rows.ts';

const policyOf = (perUser: number) => ({ idleSeconds: 3600, lifeSeconds: 9 * 86_400, graceSeconds: 30, perUser });
const scopes = pick(scopeTexts).map(readScopes);

export const appInputs = {
  'appStore.authorize': inputsOf(
    userRows,
    fc.record({
      session: favour([0, 1, 2, 3, 5]),
      appId: favour(appIds),
      scopes,
      provedAfter: fc.constantFrom(undefined, undefined, noon - minute),
      consentedAfter: fc.constantFrom(undefined, 0, noon - minute),
      actedAfter: fc.constantFrom(undefined, noon - minute),
      at: moment,
    }),
    ({ session, at, ...chosen }, index) => ({
      ...chosen,
      sessionId: sessionIds[session] ?? asSessionId(''),
      codeHash: `new code ${index}`,
      redirectUri: 'https://app.example/back',
      nonce: index % 2 === 0 ? 'a nonce' : undefined,
      challenge: 'a challenge',
      expiresAt: momentOf(at, index) + minute,
      policy: policyOf(2),
      now: momentOf(at, index),
    }),
  ),
  'appStore.exchangeCode': inputsOf(
    userRows,
    fc.record({
      code: favour([0, 1, 2, 3]),
      app: favour([0, 0, 0, 1]),
      isUriRight: fc.constantFrom(true, true, true, true, false),
      isVerifierRight: fc.constantFrom(true, true, true, true, false),
      needsConsent: fc.constantFrom(false, false, true),
      perUser: pick([1, 2]),
      at: moment,
    }),
    ({ code, app, isUriRight, isVerifierRight, needsConsent, perUser, at }, index) => ({
      codeHash: codeHashes[code] ?? '',
      appId: appIds[app] ?? '',
      redirectUri: isUriRight ? 'https://app.example/back' : 'https://other.example/back',
      challenge: isVerifierRight ? 'a challenge' : 'another challenge',
      needsConsent,
      session: {
        id: asSessionId(idAt(0, `app${index}`)),
        seedHash: `seed of app ${index}`,
        userAgent: undefined,
        ip: '192.0.2.1',
        policy: policyOf(perUser),
        now: momentOf(at, index),
      },
    }),
  ),
  'appStore.endSession': inputsOf(
    userRows,
    fc.record({
      session: favour([3, 4, 0, 5]),
      appId: favour(appIds),
      seed: fc.constantFrom('none', 'right', 'right', 'wrong'),
      at: moment,
    }),
    ({ session, appId, seed, at }, index) => ({
      sessionId: sessionIds[session] ?? asSessionId(''),
      appId,
      seedHash: seed === 'none' ? undefined : seed === 'right' ? `seed ${session}` : 'another seed',
      now: momentOf(at, index),
    }),
  ),
  'appStore.saveConsent': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), appId: favour(appIds), scopes, at: moment }),
    ({ at, ...consent }, index) => ({ ...consent, now: momentOf(at, index) }),
  ),
  'appStore.listConsents': inputsOf(userRows, favour(userIds), (userId) => userId),
  'appStore.withdrawConsent': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), appId: favour(appIds), late: few(1), at: moment }),
    ({ late, at, ...withdrawal }, index) => ({ ...withdrawal, now: momentOf(at, index) + late * hour }),
  ),
} satisfies Partial<AllInputs>;
