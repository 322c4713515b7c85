// The captcha through the endpoints that ask for it: solved for real, used once over two nodes, asked before the limits, closed when in doubt.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { solveCaptcha } from '../src/commands/captcha.ts';
import { call, logIn, newPhone, type Reply, readCode } from './support/api.ts';
import { storeKinds } from './support/gatehouse.ts';
import { setStage, setTwoNodes } from './support/stage.ts';
import { comparable, messagesTo, newAddress, told } from './support/users.ts';

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

for (const kind of storeKinds) {
  describe(`the ALTCHA captcha, on ${kind}`, () => {
    const stage = setStage(kind, { CAPTCHA_URL: 'altcha:', ...oneSend });

    it('offers a signed challenge whose solution opens the endpoint once', async () => {
      const reply = await call(stage.url, 'GET', '/api/auth/captcha/challenge');
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.deepEqual(Object.keys(reply.body.data).sort(), ['parameters', 'signature']);
      const token = await solveCaptcha(reply.body.data);
      assert.equal(told(await send(stage.url, newPhone(), token)), '200');
      assert.equal(told(await send(stage.url, newPhone(), token)), '403 CAPTCHA_INVALID');
      const again = await call(stage.url, 'POST', linkPath, { body: { recipient: newAddress() }, captcha: token });
      assert.equal(told(again), '403 CAPTCHA_INVALID');
    });

    it('burns no token for a typo, a broken body or a number that is not served', async () => {
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
      assert.equal(told(mail), '400 EMAIL_INVALID');
      const { url } = stage;
      const bare = await fetch(`${url}${path}`, { method: 'POST', body: '{', headers: { 'captcha-token': token } });
      assert.equal(bare.status, 415);
      assert.equal(told(await send(url, newPhone(), token)), '200');
    });

    it('burns no token for a send that a limit refuses', async () => {
      const phone = newPhone();
      assert.equal(told(await send(stage.url, phone, await solve(stage.url))), '200');
      const token = await solve(stage.url);
      assert.equal(told(await send(stage.url, phone, token)), '429 OTP_SEND_LIMIT');
      assert.equal(told(await send(stage.url, newPhone(), token)), '200');
    });

    it('tells whoever brings no good token nothing else, not even who was just written to', async () => {
      const phone = newPhone();
      assert.equal(told(await send(stage.url, phone, await solve(stage.url))), '200');
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
        assert.equal(told(await ask(known, used)), '200', target);
        for (const bad of [undefined, 'junk', 'e30=', used]) {
          const told403 = await ask(known, bad);
          assert.equal(told(told403), bad === undefined ? '400 CAPTCHA_REQUIRED' : '403 CAPTCHA_INVALID');
          assert.equal(told403.headers.get('retry-after'), null);
          assert.deepEqual(comparable(told403), comparable(await ask(other, bad)), `${target} ${bad}`);
        }
      }
    });

    it('takes nothing from the recipient’s budget when the captcha fails', async () => {
      const phone = newPhone();
      for (const token of ['junk', 'e30=', 'x'.repeat(5000)]) {
        assert.equal(told(await send(stage.url, phone, token)), '403 CAPTCHA_INVALID');
      }
      assert.equal(told(await send(stage.url, phone)), '400 CAPTCHA_REQUIRED');
      assert.deepEqual(await messagesTo(stage.url, phone), []);
      assert.equal(told(await send(stage.url, phone, await solve(stage.url))), '200');
    });

    it('refuses a solution whose two minutes are over', async () => {
      const token = await solve(stage.url);
      stage.clock.advance(121);
      assert.equal(told(await send(stage.url, newPhone(), token)), '403 CAPTCHA_INVALID');
    });
  });

  describe(`the ALTCHA captcha on two nodes, on ${kind}`, () => {
    const nodes = setTwoNodes(kind, { CAPTCHA_URL: 'altcha:' });

    it('lets one of fifty racing uses of a solution through, whichever node and endpoint it meets', async () => {
      const token = await solve(nodes.urls[0]);
      const uses = Array.from({ length: 50 }, (_, index) => {
        const [target, recipient] = index % 4 < 2 ? [path, newPhone()] : [linkPath, newAddress()];
        const url = nodes.urls[index % 2] ?? '';
        return call(url, 'POST', target, { body: { recipient }, captcha: token });
      });
      const answers = (await Promise.all(uses)).map(told);
      assert.equal(answers.filter((answer) => answer === '200').length, 1);
      assert.equal(answers.filter((answer) => answer === '403 CAPTCHA_INVALID').length, 49);
    });
  });
}

describe('the open captcha', () => {
  const stage = setStage('sqlite');

  it('offers no challenge, and still asks for the header', async () => {
    assert.equal(told(await call(stage.url, 'GET', '/api/auth/captcha/challenge')), '404 NOT_FOUND');
    assert.equal(told(await send(stage.url, newPhone())), '400 CAPTCHA_REQUIRED');
    assert.equal(told(await send(stage.url, newPhone(), 'anything')), '200');
  });
});

describe('a remote captcha', () => {
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

  it('lets a token through when the provider says so, and never twice', async () => {
    say('{"success":true}');
    assert.equal(told(await send(stage.url, newPhone(), 'token-a')), '200');
    assert.equal(told(await send(stage.url, newPhone(), 'token-a')), '403 CAPTCHA_INVALID');
    assert.equal(told(await send(stage.url, newPhone(), 'token-b')), '200');
    assert.equal(told(await call(stage.url, 'GET', '/api/auth/captcha/challenge')), '404 NOT_FOUND');
  });

  it('refuses a token when the provider does', async () => {
    say('{"success":false,"error-codes":["timeout-or-duplicate"]}');
    assert.equal(told(await send(stage.url, newPhone(), 'token-c')), '403 CAPTCHA_INVALID');
  });

  it('is closed for every answer that is not a clear yes or no, and sends and counts nothing', async () => {
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
      assert.equal(told(reply), '503 CAPTCHA_UNAVAILABLE', text);
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
    }
    say('{"success":true}', 404);
    assert.equal(told(await send(stage.url, phone, 'token-d')), '503 CAPTCHA_UNAVAILABLE');
    assert.deepEqual(await messagesTo(stage.url, phone), []);
    say('{"success":true}');
    assert.equal(told(await send(stage.url, phone, 'token-d')), '200');
  });

  it('asks once more when the provider stumbles, and only once', async () => {
    const answers = ['', '{"success":true}'];
    script = (response) => {
      const text = answers.shift() ?? '';
      response.writeHead(text === '' ? 502 : 200).end(text);
    };
    assert.equal(told(await send(stage.url, newPhone(), 'token-e')), '200');
    assert.equal(calls, 2);
    say('oops', 500);
    assert.equal(told(await send(stage.url, newPhone(), 'token-f')), '503 CAPTCHA_UNAVAILABLE');
    assert.equal(calls, 4);
  });

  it('gives a provider that hangs twice three seconds', async () => {
    script = () => undefined;
    const begin = performance.now();
    const reply = await send(stage.url, newPhone(), 'token-g');
    assert.equal(told(reply), '503 CAPTCHA_UNAVAILABLE');
    const seconds = (performance.now() - begin) / 1000;
    assert.ok(seconds > 5.5 && seconds < 9, `${seconds} s`);
    assert.equal(calls, 2);
  });

  it('is not asked where the header is missing or the number is no number', async () => {
    say('{"success":true}');
    const phone = newPhone();
    assert.equal(told(await send(stage.url, phone, 'token-h')), '200');
    calls = 0;
    assert.equal(told(await send(stage.url, newPhone())), '400 CAPTCHA_REQUIRED');
    assert.equal(told(await send(stage.url, '+1202')), '400 PHONE_INVALID');
    assert.equal(told(await send(stage.url, '+1202', 'token-i')), '400 PHONE_INVALID');
    assert.equal(told(await send(stage.url, phone)), '400 CAPTCHA_REQUIRED');
    assert.equal(told(await send(stage.url, newPhone(), 'x'.repeat(5000))), '403 CAPTCHA_INVALID');
    assert.equal(calls, 0);
    assert.equal(told(await send(stage.url, newPhone(), 'token-i')), '200');
  });

  it('is asked before any limit, so that a bad token is told nothing of one', async () => {
    say('{"success":true}');
    const phone = newPhone();
    assert.equal(told(await send(stage.url, phone, 'token-k')), '200');
    assert.equal(told(await send(stage.url, phone, 'token-l')), '429 OTP_SEND_LIMIT');
    assert.equal(told(await send(stage.url, phone, 'token-k')), '403 CAPTCHA_INVALID');
    say('{"success":false}');
    const limited = await send(stage.url, phone, 'junk');
    assert.equal(told(limited), '403 CAPTCHA_INVALID');
    assert.deepEqual(comparable(limited), comparable(await send(stage.url, newPhone(), 'junk')));
  });

  it('is closed when nobody is at home', async () => {
    provider.closeAllConnections();
    provider.close();
    assert.equal(told(await send(stage.url, newPhone(), 'token-j')), '503 CAPTCHA_UNAVAILABLE');
  });
});
