// Authorizing an app: what the request asks of the session, and what the user must do first.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authorization, AuthorizationOutcome } from '../../../src/apps/app-store.ts';
import type { AuthorizationRequest } from '../../../src/apps/requests/authorization-request.ts';
import { authorizeApp, neededTimes } from '../../../src/apps/requests/authorize-app.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createAppStage, foreign, shop } from '../../helpers/people/app-fakes.ts';
import { asSessionId } from '../../helpers/people/ids.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const request: AuthorizationRequest = {
  appId: 'shop',
  redirectUri: 'https://shop.example/back',
  scopes: ['openid'],
  state: 'a state',
  nonce: 'a nonce',
  challenge: 'a challenge',
  prompt: undefined,
  maxAgeSeconds: undefined,
  uiLocales: undefined,
  loginHint: undefined,
};
const input = { request, startedAt: undefined, sessionId: asSessionId('session') };
const stageOf = (kind: AuthorizationOutcome['kind']) =>
  createAppStage({ appStore: { authorize: async () => ({ kind }) } });

describe('authorizing an app', () => {
  it('a code is given to the app, and its hash to the store', async () => {
    const { deps, calls } = stageOf('issued');
    const outcome = await authorizeApp(deps, input);
    assert.ok(outcome.kind === 'issued');
    assert.match(outcome.code, /^[\w-]{43}$/);
    const [[, given] = []] = calls;
    assert.deepEqual(given, {
      sessionId: asSessionId('session'),
      codeHash: sha256(outcome.code),
      appId: 'shop',
      redirectUri: request.redirectUri,
      scopes: ['openid'],
      nonce: 'a nonce',
      challenge: 'a challenge',
      provedAfter: undefined,
      consentedAfter: undefined,
      actedAfter: undefined,
      expiresAt: noon + 60_000,
      policy: sessionPolicy,
      now: noon,
    } satisfies Authorization);
  });

  const needs = { 'signed out': 'sign-in', 'needs proof': 'proof', 'needs consent': 'consent' } as const;
  for (const kind of ['signed out', 'needs proof', 'needs consent'] as const) {
    it(`a session that the store calls “${kind}” needs a ${needs[kind]}`, async () => {
      assert.deepEqual(await authorizeApp(stageOf(kind).deps, input), { kind: 'needed', need: needs[kind] });
    });
  }

  it('the store is not asked without a session or for an app that is gone', async () => {
    const { deps, calls } = createAppStage();
    const noSession = await authorizeApp(deps, { ...input, sessionId: undefined });
    assert.deepEqual(noSession, { kind: 'needed', need: 'sign-in' });
    const gone = { ...input, request: { ...request, appId: 'gone' } };
    assert.deepEqual(await authorizeApp(deps, gone), { kind: 'unknown app' });
    assert.deepEqual(calls, []);
  });

  it('a ticket counts from when the request reached us', async () => {
    const { deps, calls } = stageOf('issued');
    await authorizeApp(deps, { ...input, startedAt: noon - 5000, request: { ...request, prompt: 'login' } });
    const [[, given] = []] = calls;
    assert.partialDeepStrictEqual(given, { provedAfter: noon - 4999 });
  });
});

describe('what a request asks of a session', () => {
  const cases: [
    what: string,
    app: typeof shop,
    Partial<AuthorizationRequest>,
    proved?: number | undefined,
    consented?: number | undefined,
    acted?: number,
  ][] = [
    ['nothing of an own app', shop, {}],
    ['nothing of an own app by prompt=none', shop, { prompt: 'none' }],
    ['any consent for the app of somebody else', foreign, {}, undefined, 0],
    ['a new proof by prompt=login', shop, { prompt: 'login' }, noon + 1],
    ['a new consent by prompt=consent, even for an own app', shop, { prompt: 'consent' }, undefined, noon + 1],
    ['both by prompt=login consent', foreign, { prompt: 'login consent' }, noon + 1, noon + 1],
    ['a proof that is not older than max_age', shop, { maxAgeSeconds: 60 }, noon - 60_000],
    ['nothing more for a loopback address', shop, { redirectUri: 'http://127.0.0.1:5000/back' }],
    ['nothing more for a scheme of an own app', shop, { redirectUri: 'com.example.shop:/back' }],
    [
      'an act of the user for a scheme of the app of somebody else',
      foreign,
      { redirectUri: 'com.example.shop:/back' },
      undefined,
      0,
      noon + 1,
    ],
    ['a new proof by prompt=login, whatever max_age says', shop, { prompt: 'login', maxAgeSeconds: 60 }, noon + 1],
  ];
  for (const [what, app, changes, provedAfter, consentedAfter, actedAfter] of cases) {
    it(`is ${what}`, () => {
      assert.deepEqual(neededTimes(app, { ...request, ...changes }, noon), { provedAfter, consentedAfter, actedAfter });
    });
  }
});
