// Stolen, replayed and swapped codes: a code works once, for its app, its address and its verifier.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createServiceKey } from '../../helpers/people/service-keys.ts';
import { outcomeOf } from '../../helpers/people/users.ts';
import { call } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { type AttackedApp, attackedSettings, page, shop } from './attacks/apps.ts';
import {
  authorize,
  type Browser,
  challenge,
  codeFor,
  exchange,
  openBrowser,
  type Parameters,
  refreshAs,
  tokensIn,
  userinfo,
  verifier,
} from './attacks/attack.ts';
import { assertRefused } from './attacks/expectations.ts';

/** Each of these uses the code up: whoever has a stolen code has one try. */
const thefts: readonly (readonly [string, AttackedApp, Parameters])[] = [
  ['another verifier', shop, { code_verifier: `${verifier}x` }],
  ['the verifier in other letters', shop, { code_verifier: verifier.toUpperCase() }],
  ['the challenge as the verifier', shop, { code_verifier: challenge }],
  ['another address of the app', shop, { redirect_uri: 'http://127.0.0.1:3000/callback' }],
  ['an address of somebody else', shop, { redirect_uri: 'https://evil.example/callback' }],
  ['another app', page, { redirect_uri: shop.redirectUri }],
  ['another app and its own address', page, {}],
];

/** Nothing is asked of the store for these. */
const incomplete: readonly (readonly [string, Parameters, string])[] = [
  ['no verifier', { code_verifier: undefined }, 'invalid_request'],
  ['an empty verifier', { code_verifier: '' }, 'invalid_request'],
  ['a verifier of 42 characters', { code_verifier: verifier.slice(0, 42) }, 'invalid_grant'],
  ['a verifier of 129 characters', { code_verifier: 'v'.repeat(129) }, 'invalid_grant'],
  ['a verifier of other characters', { code_verifier: `${verifier} ` }, 'invalid_grant'],
  ['no address', { redirect_uri: undefined }, 'invalid_request'],
  ['no code', { code: undefined }, 'invalid_request'],
  ['a code that is too long', { code: 'c'.repeat(5000) }, 'invalid_grant'],
];

describe('attacks on codes', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', attackedSettings);
  let browser: Browser;
  before(async () => {
    browser = await openBrowser(stage);
  });

  it('a code gives tokens to the app that asked for it', async () => {
    const { body, headers } = await exchange(stage, shop, await codeFor(stage, shop, browser));
    assert.deepEqual([body.token_type, body.scope, body.expires_in], ['Bearer', shop.scope, 900]);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(headers.getSetCookie(), []);
  });

  for (const [what, thief, changes] of thefts)
    it(`a code with ${what} gives nothing and is used up`, async () => {
      const code = await codeFor(stage, shop, browser);
      assertRefused(await exchange(stage, thief, code, changes), 'invalid_grant', what);
      assertRefused(await exchange(stage, shop, code), 'invalid_grant', `${what}, then the right request`);
    });

  it('a request without a whole code, verifier and address gives nothing', async () => {
    for (const [what, changes, error] of incomplete) {
      const code = await codeFor(stage, shop, browser);
      assertRefused(await exchange(stage, shop, code, changes), error, what);
    }
  });

  it('an unknown code, and a code that is cut, longer or in other letters, gives nothing', async () => {
    const code = await codeFor(stage, shop, browser);
    for (const other of ['x', 'c'.repeat(43), code.slice(1), `${code}A`, `${code}=`, ` ${code}`, code.toLowerCase()])
      assertRefused(await exchange(stage, shop, other), 'invalid_grant', other);
    assert.equal((await exchange(stage, shop, code)).status, 200);
  });

  it('a code is valid for 60 seconds', async () => {
    const [early, late] = [await codeFor(stage, shop, browser), await codeFor(stage, shop, browser)];
    stage.clock.advance(59);
    assert.equal((await exchange(stage, shop, early)).status, 200);
    stage.clock.advance(2);
    assertRefused(await exchange(stage, shop, late), 'invalid_grant', 'late');
  });

  for (const [who, app, thief] of [
    ['an app with a secret', shop, shop],
    ['an app without a secret', page, page],
    ['another app', shop, page],
  ] as const)
    it(`a code that is used again by ${who} ends the session that it gave`, async () => {
      const code = await codeFor(stage, app, browser);
      const tokens = tokensIn(await exchange(stage, app, code));
      assert.equal((await userinfo(stage, tokens.accessToken)).status, 200);
      assertRefused(await exchange(stage, thief, code), 'invalid_grant', 'a second use');
      assert.equal((await userinfo(stage, tokens.accessToken)).status, 401);
      assertRefused(await refreshAs(stage, app, tokens.refreshToken), 'invalid_grant', 'its refresh token');
      // The session of the browser goes on.
      assert.ok(await codeFor(stage, app, browser));
    });

  it('of twenty uses of a code at once one gives tokens, and the others end them', async () => {
    const code = await codeFor(stage, shop, browser);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(stage, shop, code)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 'invalid_grant', 'a race');
    const [winner = assert.fail()] = won;
    assert.equal((await userinfo(stage, tokensIn(winner).accessToken)).status, 401);
  });

  it('a code of a session that was signed out since gives nothing', async () => {
    const other = await openBrowser(stage);
    const code = await codeFor(stage, shop, other);
    assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/logout', { token: other.JWT })), '200');
    assertRefused(await exchange(stage, shop, code), 'invalid_grant', 'signed out');
    assert.equal(
      (await authorize(stage, shop, { prompt: 'none' }, other)).location?.searchParams.get('error'),
      'login_required',
    );
  });

  for (const [what, act] of [
    ['blocked', 'POST block'],
    ['deleted', 'DELETE '],
  ] as const)
    it(`a user who was ${what} gets no code, and their codes and tokens work no more`, async () => {
      const other = await openBrowser(stage);
      const { body } = await call(stage.url, 'GET', '/api/auth/me', { token: other.JWT });
      const tokens = tokensIn(await exchange(stage, shop, await codeFor(stage, shop, other)));
      const code = await codeFor(stage, shop, other);
      const [method = '', path = ''] = act.split(' ');
      const key = await createServiceKey(stage);
      const users = `/api/service/users/${body.data.id}`;
      const reply = await call(stage.url, method, path === '' ? users : `${users}/${path}`, {
        token: key,
        ...(method === 'POST' && { body: {} }),
      });
      assert.equal(outcomeOf(reply), '200');
      assertRefused(await exchange(stage, shop, code), 'invalid_grant', what);
      assertRefused(await refreshAs(stage, shop, tokens.refreshToken), 'invalid_grant', what);
      assert.equal((await userinfo(stage, tokens.accessToken)).status, 401);
      const { location } = await authorize(stage, shop, { prompt: 'none' }, other);
      assert.equal(location?.searchParams.get('error'), 'login_required');
    });
});
