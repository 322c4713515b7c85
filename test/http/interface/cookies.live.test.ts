// The cookies that carry tokens: their attributes, which credential wins, and that no foreign site can use them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askForCode, enter, me, newAddress, outcomeOf, sendLink } from '../../helpers/people/users.ts';
import { call, logIn, type Pair, type Reply, refresh } from '../../helpers/requests/api.ts';
import { setStage } from '../../helpers/services/stage.ts';

const friend = 'https://app.example.com';
const production = {
  PUBLIC_URL: 'https://id.example.com',
  SECRET: 'nineteen violet lanterns over the moor, 47',
  SMS_URL: 'inbox:',
  MAIL_URL: 'inbox:',
  MAIL_FROM: 'Gatehouse <no-reply@example.com>',
  CAPTCHA_URL: 'open:',
  ALLOW_INSECURE: '1',
};

describe('cookies of a service on HTTP', () => {
  const stage = setStage('sqlite', { CORS_ORIGINS: friend });
  const own = () => `http://localhost:${stage.env.PORT}`;
  const get = (headers: Record<string, string>) => call(stage.url, 'GET', '/api/auth/me', { headers });

  it('token cookies are set on sign-in and refresh, HttpOnly, the refresh token for its own paths only', async () => {
    const phone = '+12025550111';
    const login = await logIn(stage.url, phone, await askForCode(stage.url, phone));
    const device = login.cookies[2] ?? '';
    assert.match(device, /^DV=[\w-]{75}; Max-Age=31536000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/);
    for (const reply of [login, await refresh(stage.url, login.body.data.RT)]) {
      const { JWT, RT } = reply.body.data;
      assert.deepEqual(reply.cookies, [
        `JWT=${JWT}; Max-Age=900; Path=/; HttpOnly; SameSite=Lax`,
        `RT=${RT}; Max-Age=2592000; Path=/api/auth; HttpOnly; SameSite=Strict`,
        ...(reply === login ? [device] : []),
      ]);
      for (const cookie of reply.cookies) assert.ok(cookie.length < 1024);
    }
  });

  it('a link request sets a browser cookie that lives as long as the link', async () => {
    const { cookies } = await sendLink(stage.url, newAddress());
    assert.match(cookies.join(), /^lb=[\w-]{22}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await sendLink(stage.url, newAddress(), { cookie: cookies[0]?.split(';')[0] ?? '' });
    assert.deepEqual(again.cookies, cookies);
  });

  it('token cookies are cleared with the attributes they were set with', async () => {
    const phone = '+12025550112';
    const attributes = (reply: Reply) => reply.cookies.map((cookie) => cookie.replace(/=[^;]*; Max-Age=\d+/, ''));
    for (const [method, path, count] of [
      ['POST', '/api/auth/logout', 2],
      ['DELETE', '/api/auth/me', 3],
    ] as const) {
      const login = await logIn(stage.url, phone, await askForCode(stage.url, phone));
      const cleared = await call(stage.url, method, path, { token: login.body.data.JWT });
      assert.deepEqual(attributes(cleared), attributes(login).slice(0, count), 'signing out leaves the device');
      for (const cookie of cleared.cookies) assert.match(cookie, /^(JWT|RT|DV)=; Max-Age=0; /);
    }
  });

  it('a token cookie authenticates on its own, also beside an Authorization header of another scheme', async () => {
    const { JWT, phone } = await enter(stage.url);
    for (const more of [{}, { authorization: 'Basic eA==' }, { authorization: 'Digest x' }]) {
      const reply = await get({ cookie: `a=b; JWT=${JWT}; c=d`, ...more });
      assert.equal(reply.body.data.phone, phone);
    }
  });

  it('a bearer token takes precedence over a token cookie, and a cookie does not replace a bad bearer', async () => {
    const [one, other] = [await enter(stage.url), await enter(stage.url)];
    const reply = await get({ authorization: `bearer ${one.JWT}`, cookie: `JWT=${other.JWT}` });
    assert.equal(reply.body.data.phone, one.phone);
    for (const bearer of ['Bearer', `Bearer ${other.RT}`]) {
      const refused = await get({ authorization: bearer, cookie: `JWT=${other.JWT}` });
      assert.equal(outcomeOf(refused), '401 ACCESS_TOKEN_INVALID', bearer);
    }
    stage.clock.advance(931);
    const renewed: Pair = (await refresh(stage.url, other.RT)).body.data;
    const late = await get({ authorization: `Bearer ${one.JWT}`, cookie: `JWT=${renewed.JWT}` });
    assert.equal(outcomeOf(late), '401 ACCESS_TOKEN_EXPIRED');
  });

  it('a cookie name with two different values is refused', async () => {
    const [one, other] = [await enter(stage.url), await enter(stage.url)];
    assert.equal(outcomeOf(await get({ cookie: `JWT=${one.JWT}; JWT=${other.JWT}` })), '400 REQUEST_INVALID');
    assert.equal(outcomeOf(await get({ cookie: `JWT=${one.JWT}; JWT=${one.JWT}` })), '200');
    const twice = { headers: { cookie: `RT=${one.RT}; RT=${other.RT}` } };
    assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/refresh-token', twice)), '400 REQUEST_INVALID');
    for (const { RT } of [one, other]) assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
  });

  it('junk in the Cookie header never causes a server error', async () => {
    const { JWT } = await enter(stage.url);
    const letters = ['=', ';', ',', '"', '%', '\\', ' ', '\t', 'JWT', 'RT', '__proto__', '%00', '\u00ff', 'x'];
    for (let round = 0; round < 300; round += 25) {
      const junk = Array.from(
        { length: round % 40 },
        (_, at) => letters[(round * 7 + at * at * 3) % letters.length],
      ).join('');
      assert.ok([200, 400, 401].includes((await get({ cookie: junk })).status), junk);
      assert.ok([200, 400, 401].includes((await get({ cookie: `${junk}; JWT=${JWT}` })).status), junk);
    }
    assert.equal(outcomeOf(await get({ cookie: `JWT=${JWT}` })), '200');
  });

  const calls = [
    ['POST', '/api/auth/logout', undefined],
    ['DELETE', '/api/auth/me', undefined],
    ['DELETE', '/api/auth/sessions/01890000-0000-7000-8000-000000000000', undefined],
    ['POST', '/api/auth/email/send/otp', { recipient: 'ann@example.com' }],
    ['PUT', '/api/auth/email/add', { email: 'ann@example.com', otp: '123456' }],
    ['POST', '/api/auth/phone/change/send', { recipient: '+12025550123' }],
    ['PUT', '/api/auth/phone/change', { phone: '+12025550123', otp: '123456' }],
    ['POST', '/api/auth/proof/send', { via: 'phone' }],
    ['POST', '/api/auth/proof', { otp: '123456' }],
    ['POST', '/api/auth/refresh-token', undefined],
  ] as const;

  it('token cookies authorise no call that changes something from a foreign site', async () => {
    const { JWT, RT } = await enter(stage.url);
    for (const [method, path, body] of calls) {
      for (const from of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const headers = { cookie: `JWT=${JWT}; RT=${RT}`, ...from };
        const reply = await call(stage.url, method, path, { headers, captcha: 'x', ...(body && { body }) });
        assert.equal(outcomeOf(reply), '403 CSRF_REJECTED', `${method} ${path} ${JSON.stringify(from)}`);
      }
    }
    assert.equal(outcomeOf(await me(stage.url, JWT)), '200');
    assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
  });

  it('token cookies authorise such calls from the own origin, from configured origins and from clients that are not browsers', async () => {
    for (const from of [{ origin: own() }, { origin: friend }, {}]) {
      const { JWT, RT } = await enter(stage.url);
      const renewed = await call(stage.url, 'POST', '/api/auth/refresh-token', {
        headers: { cookie: `RT=${RT}`, ...from },
      });
      assert.equal(outcomeOf(renewed), '200', JSON.stringify(from));
      const reply = await call(stage.url, 'POST', '/api/auth/logout', { headers: { cookie: `JWT=${JWT}`, ...from } });
      assert.equal(outcomeOf(reply), '200', JSON.stringify(from));
    }
  });

  it('the origin is not checked if a header carries the token or nothing is changed', async () => {
    const { JWT, RT } = await enter(stage.url);
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal(outcomeOf(await get({ cookie: `JWT=${JWT}`, ...evil })), '200');
    const renewed = await call(stage.url, 'POST', '/api/auth/refresh-token', {
      headers: { RT, cookie: `RT=${RT}`, ...evil },
    });
    assert.equal(outcomeOf(renewed), '200');
    const headers = { cookie: `JWT=${JWT}`, ...evil };
    assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/logout', { token: JWT, headers })), '200');
  });
});

describe('cookies of a service on HTTPS', () => {
  const stage = setStage('sqlite', production);

  it('all cookies on HTTPS are Secure, when set and when cleared', async () => {
    const phone = '+12025550113';
    const login = await logIn(stage.url, phone, await askForCode(stage.url, phone));
    const link = await sendLink(stage.url, newAddress());
    const logout = await call(stage.url, 'POST', '/api/auth/logout', { token: login.body.data.JWT });
    const all = [login, link, logout].flatMap(({ cookies }) => cookies);
    assert.equal(all.length, 6);
    for (const cookie of all) assert.match(cookie, /; Secure$/);
    assert.match(login.headers.get('strict-transport-security') ?? '', /max-age=/);
  });

  it('a service on HTTPS accepts its HTTPS origin and refuses its HTTP origin', async () => {
    const { JWT } = await enter(stage.url);
    const signOut = (origin: string) => {
      return call(stage.url, 'POST', '/api/auth/logout', { headers: { cookie: `JWT=${JWT}`, origin } });
    };
    assert.equal(outcomeOf(await signOut('http://id.example.com')), '403 CSRF_REJECTED');
    assert.equal(outcomeOf(await signOut('https://id.example.com')), '200');
  });
});
