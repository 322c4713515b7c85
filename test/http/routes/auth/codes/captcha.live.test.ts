// The captcha on the endpoints that need it: solved for real, used once over two nodes, checked before the limits, refused when in doubt.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { solveCaptcha } from '../../../../../src/commands/developer/solve-captcha.ts';
import { comparable, messagesTo, newAddress, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, type Reply, readCode } from '../../../../helpers/requests/api.ts';
import { isRepeat, tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage, setTwoNodes } from '../../../../helpers/services/stage.ts';

const path = '/api/auth/phone/send/otp';
const bindingPath = '/api/auth/email/send/otp';
const linkPath = '/api/auth/email/send/login-link';
const oneSend = { LIMIT_SENDS_PER_RECIPIENT: '1/1h' };

async function solve(url: string): Promise<string> {
  const { body } = await call(url, 'GET', '/api/auth/captcha/challenge');
  return solveCaptcha(body.data);
}

function send(url: string, recipient: string, captcha?: string): Promise<Reply> {
  return call(url, 'POST', path, { body: { recipient }, ...(captcha !== undefined && { captcha }) });
}

for (const kind of tierStoreKinds) {
  describe(`the ALTCHA captcha, on ${kind}`, () => {
    const stage = setStage(kind, { CAPTCHA_URL: 'altcha:', ...oneSend });

    it('the solution of an ALTCHA challenge is accepted once', async () => {
      const reply = await call(stage.url, 'GET', '/api/auth/captcha/challenge');
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.deepEqual(Object.keys(reply.body.data).sort(), ['parameters', 'signature']);
      const token = await solveCaptcha(reply.body.data);
      assert.equal(outcomeOf(await send(stage.url, newPhone(), token)), '200');
      assert.equal(outcomeOf(await send(stage.url, newPhone(), token)), '403 CAPTCHA_INVALID');
      const again = await call(stage.url, 'POST', linkPath, { body: { recipient: newAddress() }, captcha: token });
      assert.equal(outcomeOf(again), '403 CAPTCHA_INVALID');
    });

    it('an ALTCHA solution is not used up by a typo, a malformed body or an unsupported number', async () => {
      const token = await solve(stage.url);
      const bodies = [
        { recipient: '+1202555' },
        { recipient: 1 },
        {},
        { recipient: '+19002345678' },
        { recipient: '+1202555\u00000123' },
      ];
      for (const body of bodies)
        assert.ok((await call(stage.url, 'POST', path, { body, captcha: token })).status >= 400);
      const mail = await call(stage.url, 'POST', linkPath, { body: { recipient: 'ann@nowhere' }, captcha: token });
      assert.equal(outcomeOf(mail), '400 EMAIL_INVALID');
      const { url } = stage;
      const bare = await fetch(`${url}${path}`, { method: 'POST', body: '{', headers: { 'captcha-token': token } });
      assert.equal(bare.status, 415);
      assert.equal(outcomeOf(await send(url, newPhone(), token)), '200');
    });

    it('an ALTCHA solution is not used up by a send that a limit refuses', async () => {
      const phone = newPhone();
      assert.equal(outcomeOf(await send(stage.url, phone, await solve(stage.url))), '200');
      const token = await solve(stage.url);
      assert.equal(outcomeOf(await send(stage.url, phone, token)), '429 OTP_SEND_LIMIT');
      assert.equal(outcomeOf(await send(stage.url, newPhone(), token)), '200');
    });

    it('a request without a valid captcha learns nothing else, not even whether a message was just sent', async () => {
      const phone = newPhone();
      assert.equal(outcomeOf(await send(stage.url, phone, await solve(stage.url))), '200');
      const { JWT } = (await logIn(stage.url, phone, await readCode(stage.url, phone))).body.data;
      const endpoints = [
        { path, make: newPhone },
        { path: linkPath, make: newAddress },
        { path: bindingPath, make: newAddress },
      ];
      for (const { path: target, make } of endpoints) {
        const [known, other] = [make(), make()];
        const ask = (recipient: string, captcha?: string) =>
          call(stage.url, 'POST', target, {
            body: { recipient },
            token: JWT,
            ...(captcha !== undefined && { captcha }),
          });
        const used = await solve(stage.url);
        assert.equal(outcomeOf(await ask(known, used)), '200', target);
        for (const bad of [undefined, 'junk', 'e30=', used]) {
          const refusal = await ask(known, bad);
          assert.equal(outcomeOf(refusal), bad === undefined ? '400 CAPTCHA_REQUIRED' : '403 CAPTCHA_INVALID');
          assert.equal(refusal.headers.get('retry-after'), null);
          assert.deepEqual(comparable(refusal), comparable(await ask(other, bad)), `${target} ${bad}`);
        }
      }
    });

    it('a failed captcha uses up nothing of the recipient’s limits', async () => {
      const phone = newPhone();
      for (const token of ['junk', 'e30=', 'x'.repeat(5000)]) {
        assert.equal(outcomeOf(await send(stage.url, phone, token)), '403 CAPTCHA_INVALID');
      }
      assert.equal(outcomeOf(await send(stage.url, phone)), '400 CAPTCHA_REQUIRED');
      assert.deepEqual(await messagesTo(stage.url, phone), []);
      assert.equal(outcomeOf(await send(stage.url, phone, await solve(stage.url))), '200');
    });

    it('an ALTCHA solution is refused after two minutes', async () => {
      const token = await solve(stage.url);
      stage.clock.advance(121);
      assert.equal(outcomeOf(await send(stage.url, newPhone(), token)), '403 CAPTCHA_INVALID');
    });
  });

  describe(`the ALTCHA captcha on two nodes, on ${kind}`, () => {
    const nodes = setTwoNodes(kind, { CAPTCHA_URL: 'altcha:' });

    it('one of fifty racing uses of an ALTCHA solution succeeds, whatever the node and endpoint', async () => {
      const token = await solve(nodes.urls[0]);
      const uses = Array.from({ length: 50 }, (_, index) => {
        const [target, recipient] = index % 4 < 2 ? [path, newPhone()] : [linkPath, newAddress()];
        const url = nodes.urls[index % 2] ?? '';
        return call(url, 'POST', target, { body: { recipient }, captcha: token });
      });
      const answers = (await Promise.all(uses)).map(outcomeOf);
      assert.equal(answers.filter((answer) => answer === '200').length, 1);
      assert.equal(answers.filter((answer) => answer === '403 CAPTCHA_INVALID').length, 49);
    });
  });
}

describe('the open captcha', { skip: isRepeat }, () => {
  const stage = setStage('sqlite');

  it('the open captcha offers no challenge but still requires the header', async () => {
    assert.equal(outcomeOf(await call(stage.url, 'GET', '/api/auth/captcha/challenge')), '404 NOT_FOUND');
    assert.equal(outcomeOf(await send(stage.url, newPhone())), '400 CAPTCHA_REQUIRED');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'anything')), '200');
  });
});

describe('a remote captcha', { skip: isRepeat }, () => {
  let script: (response: ServerResponse) => void = () => undefined;
  let calls = 0;
  const provider = createServer((request, response) => {
    calls += 1;
    request.resume().on('end', () => script(response));
  });
  const say = (text: string, status = 200) => {
    script = (response) => response.writeHead(status).end(text);
  };
  before(() => once(provider.listen(0, '127.0.0.1'), 'listening'));
  after(() => provider.closeAllConnections());
  after(() => provider.close());
  beforeEach(() => {
    calls = 0;
  });
  const stage = setStage('sqlite', () => {
    const verify = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/siteverify`;
    return { CAPTCHA_URL: `turnstile://site:secret?verify=${encodeURIComponent(verify)}`, ...oneSend };
  });

  it('a token that the captcha provider accepts passes once', async () => {
    say('{"success":true}');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-a')), '200');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-a')), '403 CAPTCHA_INVALID');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-b')), '200');
    assert.equal(outcomeOf(await call(stage.url, 'GET', '/api/auth/captcha/challenge')), '404 NOT_FOUND');
  });

  it('the pages may load the captcha widget and nothing else from other origins, and the admin page not even that', async () => {
    const page = await fetch(`${stage.url}/`);
    const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
    const there = 'https://challenges.cloudflare.com';
    assert.deepEqual(
      policy.filter((rule) => /^(script|frame|connect)-src/.test(rule)),
      [`script-src 'self' ${there}`, "connect-src 'self'", `frame-src 'self' ${there}`],
    );
    const text = (await page.text()).replaceAll('&quot;', '"');
    const address = `${there}/turnstile/v0/api.js?render=explicit`;
    const captcha = { provider: 'turnstile', siteKey: 'site', widget: { address, global: 'turnstile' } };
    assert.ok(text.includes(`"captcha":${JSON.stringify(captcha)}`), text);
    assert.ok(!text.includes('secret'));
    const admin = await fetch(`${stage.url}/admin`);
    assert.doesNotMatch(admin.headers.get('content-security-policy') ?? '', /cloudflare/);
  });

  it('a token that the captcha provider refuses is refused', async () => {
    say('{"success":false,"error-codes":["timeout-or-duplicate"]}');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-c')), '403 CAPTCHA_INVALID');
  });

  it('every answer of the captcha provider that is not a clear yes or no refuses the request, and nothing is sent or counted', async () => {
    const phone = newPhone();
    const texts = [
      '{}',
      '',
      '[]',
      'null',
      'true',
      '<html>busy</html>',
      '{"success":"true"}',
      '{"success":1}',
      '{"success":tr',
    ];
    for (const text of texts) {
      say(text);
      const reply = await send(stage.url, phone, 'token-d');
      assert.equal(outcomeOf(reply), '503 CAPTCHA_UNAVAILABLE', text);
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
    }
    say('{"success":true}', 404);
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-d')), '503 CAPTCHA_UNAVAILABLE');
    assert.deepEqual(await messagesTo(stage.url, phone), []);
    say('{"success":true}');
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-d')), '200');
  });

  it('the captcha provider is asked once more after a server error, and only once', async () => {
    const answers = ['', '{"success":true}'];
    script = (response) => {
      const text = answers.shift() ?? '';
      response.writeHead(text === '' ? 502 : 200).end(text);
    };
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-e')), '200');
    assert.equal(calls, 2);
    say('oops', 500);
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-f')), '503 CAPTCHA_UNAVAILABLE');
    assert.equal(calls, 4);
  });

  it('the captcha provider is not called if the header is missing or too long or the number is invalid', async () => {
    say('{"success":true}');
    const phone = newPhone();
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-h')), '200');
    calls = 0;
    assert.equal(outcomeOf(await send(stage.url, newPhone())), '400 CAPTCHA_REQUIRED');
    assert.equal(outcomeOf(await send(stage.url, '+1202')), '400 PHONE_INVALID');
    assert.equal(outcomeOf(await send(stage.url, '+1202', 'token-i')), '400 PHONE_INVALID');
    assert.equal(outcomeOf(await send(stage.url, phone)), '400 CAPTCHA_REQUIRED');
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'x'.repeat(5000))), '403 CAPTCHA_INVALID');
    assert.equal(calls, 0);
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-i')), '200');
  });

  it('the captcha provider is called before any limit is checked, so that a bad token does not reveal one', async () => {
    say('{"success":true}');
    const phone = newPhone();
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-k')), '200');
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-l')), '429 OTP_SEND_LIMIT');
    assert.equal(outcomeOf(await send(stage.url, phone, 'token-k')), '403 CAPTCHA_INVALID');
    say('{"success":false}');
    const limited = await send(stage.url, phone, 'junk');
    assert.equal(outcomeOf(limited), '403 CAPTCHA_INVALID');
    assert.deepEqual(comparable(limited), comparable(await send(stage.url, newPhone(), 'junk')));
  });

  it('requests are refused while the captcha provider is unreachable', async () => {
    provider.closeAllConnections();
    provider.close();
    assert.equal(outcomeOf(await send(stage.url, newPhone(), 'token-j')), '503 CAPTCHA_UNAVAILABLE');
  });
});
