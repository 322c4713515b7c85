// Captchas: the open one, ALTCHA solved for real, and the remote ones against a scripted verify URL.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createAltchaCaptcha } from '../../../src/adapters/captcha/altcha-captcha.ts';
import { hcaptchaVerify } from '../../../src/adapters/captcha/hcaptcha.ts';
import { createOpenCaptcha } from '../../../src/adapters/captcha/open.ts';
import { recaptchaVerify } from '../../../src/adapters/captcha/recaptcha.ts';
import { createSiteVerifyCaptcha } from '../../../src/adapters/captcha/site-verify.ts';
import { turnstileVerify } from '../../../src/adapters/captcha/turnstile.ts';
import { fetchCaptchaToken, solveCaptcha } from '../../../src/commands/developer/solve-captcha.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type ProviderUrl, parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import { chooseCaptcha } from '../../../src/service/choose-captcha.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Json = Record<string, unknown>;
type Payload = {
  challenge: { parameters: Json; signature: string };
  solution: { counter: number; derivedKey: string };
};

/** Far from the time of the machine, so that only the injected clock can decide. */
const noon = Date.UTC(2001, 0, 1, 12);
const oldSecret = 'old secret '.repeat(4);
const newSecret = 'new secret '.repeat(4);

const refused = (code: FailureCode, detail: Json = {}) => ({ name: 'Failure', code, detail });
const invalid = refused('CAPTCHA_INVALID');
const unavailable = refused('CAPTCHA_UNAVAILABLE', { retryAfterSeconds: 5 });

const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
const decode = (token: string): Payload => JSON.parse(Buffer.from(token, 'base64').toString());

describe('the open captcha', () => {
  it('the open captcha accepts any non-empty token and offers no challenge', async () => {
    const captcha = createOpenCaptcha();
    assert.equal(await captcha.check('x', '127.0.0.1'), undefined);
    assert.ok(!('challenge' in captcha));
    await assert.rejects(captcha.check('', '127.0.0.1'), invalid);
  });
});

describe('the ALTCHA captcha', () => {
  let now = noon;
  let token = '';
  const clock = { now: () => now };
  const captcha = createAltchaCaptcha({ secrets: createSecrets(oldSecret), clock });
  const check = (text: string) => captcha.check(text, '127.0.0.1');
  const challenge = () => captcha.challenge?.() ?? assert.fail('no challenge');
  const altered = (change: (payload: Payload) => void) => {
    const payload = decode(token);
    change(payload);
    return encode(payload);
  };

  before(async () => {
    token = await solveCaptcha(await challenge());
  });
  beforeEach(() => {
    now = noon;
  });

  it('the ALTCHA captcha accepts a solved challenge, and solving takes under two seconds', async () => {
    const start = process.cpuUsage();
    const solved = await solveCaptcha(await challenge());
    // Measured as processor time, not elapsed time, because other programs share the machine.
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms`);
    assert.ok(solved.length < 1500, `${solved.length} characters`);
    const spend = await check(solved);
    assert.match(spend?.id ?? '', /^altcha:[0-9a-f]{32}$/);
    assert.ok((spend?.sweepAt ?? 0) > noon + 120_000);
  });

  it('every ALTCHA challenge has its own nonce and a counter in the measured range', async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, async () => JSON.stringify(await challenge())));
    assert.equal(new Set(nonces).size, 20);
    const { counter } = decode(token).solution;
    assert.ok(counter >= 0 && counter <= 900, `${counter}`);
  });

  it('the ALTCHA captcha refuses a wrong number and the key of a wrong number', async () => {
    const other = await createChallenge({ algorithm: 'PBKDF2/SHA-256', cost: 1, counter: 3, deriveKey });
    const solution = (await solveChallenge({ challenge: other, deriveKey })) ?? assert.fail('not solved');
    const { derivedKey } = solution;
    for (const change of [{ counter: decode(token).solution.counter + 1 }, { derivedKey }, { ...solution }]) {
      const text = altered((payload) => Object.assign(payload.solution, change));
      await assert.rejects(check(text), invalid, JSON.stringify(change));
    }
  });

  it('the ALTCHA captcha refuses every tampered parameter', async () => {
    const { expiresAt } = decode(token).challenge.parameters;
    const hex = '0'.repeat(32);
    const changes: Json[] = [
      { expiresAt: Number(expiresAt) + 1 },
      { expiresAt: String(expiresAt) },
      { salt: hex },
      { nonce: hex },
      { cost: 1 },
      { cost: 1_000_000_000 },
      { keyLength: 1 },
      { keyPrefix: '00' },
      { keySignature: '' },
      { algorithm: 'SHA-256' },
      { data: {} },
    ];
    for (const change of changes) {
      const text = altered((payload) => Object.assign(payload.challenge.parameters, change));
      await assert.rejects(check(text), invalid, JSON.stringify(change));
    }
    for (const name of Object.keys(decode(token).challenge.parameters)) {
      const text = altered((payload) => delete payload.challenge.parameters[name]);
      await assert.rejects(check(text), invalid, `without ${name}`);
    }
  });

  it('the ALTCHA captcha refuses a missing, foreign or altered signature', async () => {
    const foreign = createAltchaCaptcha({ secrets: createSecrets(newSecret), clock });
    const { signature } = decode(token).challenge;
    for (const wrong of [undefined, '', null, 1, signature.slice(1), signature.replace(/^./, 'g')]) {
      const text = altered((payload) => Object.assign(payload.challenge, { signature: wrong }));
      await assert.rejects(check(text), invalid, String(wrong));
    }
    await assert.rejects(foreign.check(token, '127.0.0.1'), invalid);
  });

  it('the ALTCHA captcha refuses a solution once two minutes have passed', async () => {
    now = noon + 119_999;
    assert.ok(await check(token));
    now = noon + 120_000;
    await assert.rejects(check(token), invalid);
  });

  it('the ALTCHA captcha accepts challenges signed with the previous secret until that secret is removed', async () => {
    const rotated = createAltchaCaptcha({ secrets: createSecrets(newSecret, oldSecret), clock });
    assert.deepEqual(await rotated.check(token, '127.0.0.1'), await check(token));
    const fresh = await solveCaptcha(await rotated.challenge?.());
    assert.ok(await rotated.check(fresh, '127.0.0.1'));
    await assert.rejects(check(fresh), invalid);
  });

  it('the ALTCHA captcha recognises a challenge however its token is encoded', async () => {
    const { challenge: signed, solution } = decode(token);
    const parameters = Object.fromEntries(Object.entries(signed.parameters).reverse());
    const reordered = encode({
      solution: { ...solution, time: 7 },
      challenge: { signature: signed.signature, parameters },
    });
    const spaced = Buffer.from(JSON.stringify(decode(token), undefined, 3));
    const spend = await check(token);
    assert.notEqual(reordered, token);
    for (const text of [reordered, spaced.toString('base64'), spaced.toString('base64url'), token.replace(/=+$/, '')]) {
      assert.deepEqual(await check(text), spend);
    }
  });

  it('the ALTCHA captcha accepts a valid token of 4096 characters and none longer', async () => {
    const padded = (bytes: number) => Buffer.from(JSON.stringify(decode(token)).padEnd(bytes)).toString('base64');
    assert.equal(padded(3072).length, 4096);
    assert.ok(await check(padded(3072)));
    await assert.rejects(check(padded(3073)), invalid);
  });

  it('the ALTCHA captcha refuses a hundred junk tokens at little cost', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => junk(index, decode(token)));
    const before = process.cpuUsage();
    for (const text of texts) await assert.rejects(check(text), invalid, text.slice(0, 80));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`);
  });
});

function junk(index: number, { challenge, solution }: Payload): string {
  const { parameters } = challenge;
  const kinds: (() => string)[] = [
    () => '',
    () => 'A'.repeat(index * 50),
    () => 'A'.repeat(4097 + index),
    () => ` ${encode({ challenge, solution })}`,
    () => `${encode({ challenge, solution })}===`,
    () => encode([null, true, 1, '', [], {}][index % 6]),
    () => encode({ challenge: null, solution }),
    () => encode({ challenge: { ...challenge, parameters: [index] }, solution }),
    () => encode({ challenge: { ...challenge, parameters: { ...parameters, cost: 2 ** 31 - 1 } }, solution }),
    () => encode({ challenge: { ...challenge, parameters: { ...parameters, [index]: index } }, solution }),
    () => encode({ challenge, solution: { ...solution, counter: [0.5, -1, 1e300, '1', null][index % 5] } }),
    () => encode({ challenge, solution: { ...solution, derivedKey: ['', 'zz', 'é', 7, 'a'.repeat(63)][index % 5] } }),
    () => Buffer.from('['.repeat(3000)).toString('base64'),
    () => Buffer.from('{"challenge":{"__proto__":{"signature":""}}}').toString('base64url'),
  ];
  return kinds[index % kinds.length]?.() ?? '';
}

type Step = (request: IncomingMessage, response: ServerResponse) => void;

const answer =
  (body: unknown, status = 200): Step =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Answers by script, repeating the last step, and records every form that it receives. */
async function startScripted() {
  const forms: URLSearchParams[] = [];
  const paths: string[] = [];
  let steps: Step[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    forms.push(new URLSearchParams(body));
    paths.push(request.url ?? '');
    const step = steps.length > 1 ? steps.shift() : steps[0];
    step?.(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const play = (...script: Step[]) => {
    steps = script;
    forms.length = 0;
    paths.length = 0;
  };
  const end = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { address, forms, paths, play, end };
}

type Scripted = Awaited<ReturnType<typeof startScripted>>;

const providerUrl = (text: string): ProviderUrl => parseProviderUrl(text, 'account') ?? assert.fail(text);

const services = { turnstile: turnstileVerify, hcaptcha: hcaptchaVerify, recaptcha: recaptchaVerify };

describe('a remote captcha', () => {
  let scripted: Scripted;
  before(async () => {
    scripted = await startScripted();
  });
  after(() => scripted.end());

  const clock = { now: () => noon };
  const ask = (token = 'token', ip = '203.0.113.7', scheme: keyof typeof services = 'turnstile', timeoutMs = 2000) => {
    const url = providerUrl(`${scheme}://site:se%3Acret?verify=${encodeURIComponent(`${scripted.address}/verify`)}`);
    return createSiteVerifyCaptcha(services[scheme], url, { hosts: [], clock }, timeoutMs).check(token, ip);
  };

  it('a remote captcha accepts a token that the provider accepts, and returns its id to mark as used', async () => {
    scripted.play(answer({ success: true }));
    const spend = await ask('a token');
    assert.match(spend?.id ?? '', /^remote:[\w-]{43}$/);
    assert.equal(spend?.sweepAt, noon + 600_000);
    assert.deepEqual(await ask('a token'), spend);
    assert.notEqual((await ask('another'))?.id, spend?.id);
  });

  it('a remote captcha checks the token of one caller while another network has more tokens than it may have checked at once', async () => {
    const held: ServerResponse[] = [];
    const isOfCrowd = () => scripted.forms.at(-1)?.get('remoteip') === '203.0.113.7';
    const step: Step = (request, response) =>
      isOfCrowd() ? void held.push(response) : answer({ success: true })(request, response);
    scripted.play(step);
    const url = providerUrl(`turnstile://site:secret?verify=${encodeURIComponent(`${scripted.address}/verify`)}`);
    const captcha = createSiteVerifyCaptcha(turnstileVerify, url, { hosts: [], clock }, 60_000);
    const crowd = Array.from({ length: 300 }, (_, at) => captcha.check(`token ${at}`, '203.0.113.7'));
    const refusals = Promise.all(crowd.slice(288).map((one) => assert.rejects(one, unavailable)));
    for (const one of crowd) one.catch(() => undefined);
    await refusals;
    await waitUntil('the crowd has all it may have', () => held.length === 32);
    assert.match((await captcha.check('mine', '198.51.100.1'))?.id ?? '', /^remote:/);
    assert.equal(held.length, 32, 'and no more of the crowd was asked about');
    scripted.play(answer({ success: true }));
    for (const response of held) answer({ success: true })({} as IncomingMessage, response);
    await Promise.all(crowd.slice(0, 288));
  });

  it('a remote captcha refuses a success with a low score, another host or another action, if the provider reports them', async () => {
    const verify = `verify=${encodeURIComponent(`${scripted.address}/verify`)}`;
    const hosts = ['id.example.com', 'app.example.com'];
    const passes = async (scheme: keyof typeof services, query: string, verdict: Json) => {
      scripted.play(answer({ success: true, ...verdict }));
      const url = providerUrl(`${scheme}://site:secret?${verify}${query}`);
      const captcha = createSiteVerifyCaptcha(services[scheme], url, { hosts, clock });
      return captcha.check('token', '').then(
        () => true,
        (refusal: unknown) => {
          assert.deepEqual({ ...(refusal as object) }, invalid);
          return false;
        },
      );
    };
    const cases: [scheme: keyof typeof services, query: string, verdict: Json, isGood: boolean][] = [
      ['recaptcha', '', { score: 0.9 }, true],
      ['recaptcha', '', { score: 0.5 }, true],
      ['recaptcha', '', { score: 0.4 }, false],
      ['recaptcha', '', { score: '0.9' }, false],
      ['recaptcha', '&score=0.3', { score: 0.4 }, true],
      ['recaptcha', '&score=0.7', { score: 0.6 }, false],
      // With hCaptcha a high score is a high risk, and only its own verdict counts.
      ['hcaptcha', '', { score: 0 }, true],
      ['recaptcha', '', { hostname: 'id.example.com' }, true],
      ['turnstile', '', { hostname: 'APP.example.com' }, true],
      ['turnstile', '', { hostname: 'evil.example' }, false],
      ['hcaptcha', '', { hostname: 'not-provided' }, true],
      ['hcaptcha', '', { hostname: 7 }, false],
      ['turnstile', '&hostname=a.example,b.example', { hostname: 'b.example' }, true],
      ['turnstile', '&hostname=a.example,b.example', { hostname: 'id.example.com' }, false],
      ['recaptcha', '&action=login', { action: 'login' }, true],
      ['recaptcha', '&action=login', { action: 'other' }, false],
      ['recaptcha', '&action=login', {}, false],
      ['recaptcha', '', { action: 'anything' }, true],
    ];
    for (const [scheme, query, verdict, isGood] of cases)
      assert.equal(await passes(scheme, query, verdict), isGood, `${scheme} ${query} ${JSON.stringify(verdict)}`);
  });

  it('a remote captcha checks the host only in production, against the hosts of the service and its apps', async () => {
    scripted.play(answer({ success: true, hostname: 'evil.example' }));
    const url = providerUrl(`turnstile://site:secret?verify=${encodeURIComponent(`${scripted.address}/verify`)}`);
    const captcha = { ...url, scheme: 'turnstile' } as const;
    const where = { publicUrl: 'https://id.example.com', corsOrigins: ['https://app.example.com:8443'] };
    const choose = (mode: 'local' | 'production') =>
      chooseCaptcha({ captcha, mode, ...where }, { secrets: createSecrets(oldSecret), clock, price: () => 1 });
    assert.ok(await (await choose('local')).check('token', ''));
    await assert.rejects((await choose('production')).check('token', ''), invalid);
    scripted.play(answer({ success: true, hostname: 'app.example.com' }));
    assert.ok(await (await choose('production')).check('token', ''));
  });

  it('a remote captcha sends each provider the fields that it knows, and an IP address only if there is one', async () => {
    scripted.play(answer({ success: true }));
    const common = { secret: 'se:cret', response: 'token' };
    await ask('token', '203.0.113.7', 'recaptcha');
    await ask('token', '2001:db8:0:1::/64', 'hcaptcha');
    await ask('token', 'unknown', 'turnstile');
    const [recaptcha, hcaptcha, turnstile] = scripted.forms.map((form) => Object.fromEntries(form));
    assert.deepEqual(recaptcha, { ...common, remoteip: '203.0.113.7' });
    assert.deepEqual(hcaptcha, { ...common, sitekey: 'site' });
    assert.deepEqual(turnstile, { ...common, idempotency_key: turnstile?.idempotency_key });
    assert.match(turnstile?.idempotency_key ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('a remote captcha refuses a token that the provider refuses', async () => {
    for (const codes of [undefined, [], ['invalid-input-response'], ['timeout-or-duplicate'], 'internal-error']) {
      scripted.play(answer({ success: false, 'error-codes': codes }));
      await assert.rejects(ask(), invalid, String(codes));
      assert.equal(scripted.forms.length, 1);
    }
  });

  it('a remote captcha reports itself unavailable if the token is not at fault', async () => {
    for (const code of ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch', 'internal-error']) {
      scripted.play(answer({ success: false, 'error-codes': ['invalid-input-response', code] }));
      await assert.rejects(ask(), unavailable, code);
    }
  });

  it('a remote captcha reports any other answer as unavailable, after one call', async () => {
    const pass = { success: true };
    const bodies = [
      {},
      '<html>ok</html>',
      { success: 'true' },
      { success: 1 },
      [pass],
      'true',
      'null',
      '',
      { ok: true },
    ];
    const long = JSON.stringify({ ...pass, padding: 'x'.repeat(65_536) });
    const strange = [...bodies, long].map((body) => answer(body));
    for (const step of [...strange, answer(pass, 400), answer(pass, 403), answer(pass, 429), answer(pass, 302)]) {
      scripted.play(step);
      await assert.rejects(ask(), unavailable);
      assert.deepEqual(scripted.paths, ['/verify']);
    }
  });

  it('a remote captcha retries once after a 500, with the same idempotency key', async () => {
    scripted.play(answer('down', 500), answer({ success: true }));
    assert.ok(await ask());
    const [first, second] = scripted.forms;
    assert.equal(scripted.forms.length, 2);
    assert.equal(first?.get('idempotency_key'), second?.get('idempotency_key'));
    assert.ok(await ask());
    assert.notEqual(scripted.forms[2]?.get('idempotency_key'), first?.get('idempotency_key'));
  });

  it('a remote captcha retries once after a cut connection', async () => {
    scripted.play((request) => request.socket.destroy(), answer({ success: true }));
    assert.ok(await ask());
    scripted.play(
      (_, response) => response.writeHead(200, { 'content-length': '99' }).write('{'),
      answer({ success: true }),
    );
    assert.ok(await ask('token', '', 'turnstile', 1500));
  });

  it('a remote captcha gives up after two 5xx answers', async () => {
    scripted.play(answer({ success: true }, 503));
    await assert.rejects(ask(), unavailable);
    assert.equal(scripted.forms.length, 2);
  });

  it('a remote captcha gives up on a provider that hangs after two time-outs', async () => {
    scripted.play(() => {});
    await assert.rejects(ask('token', '', 'turnstile', 100), unavailable);
    assert.equal(scripted.forms.length, 2);
  });

  it('a remote captcha gives up on a URL where nothing listens', async () => {
    const gone = await startScripted();
    await gone.end();
    const url = providerUrl(`hcaptcha://site:secret?verify=${gone.address}/`);
    await assert.rejects(
      createSiteVerifyCaptcha(hcaptchaVerify, url, { hosts: [], clock }).check('token', ''),
      unavailable,
    );
  });

  it('a remote captcha refuses empty and overlong tokens without a call', async () => {
    scripted.play(answer({ success: true }));
    await assert.rejects(ask('x'.repeat(4097)), invalid);
    await assert.rejects(ask(''), invalid);
    assert.equal(scripted.forms.length, 0);
    assert.ok(await ask('x'.repeat(4096)));
  });
});

describe('the work of an ALTCHA captcha', () => {
  it('knowing the source does not make an ALTCHA challenge cheaper: counters are spread over the whole range that a solver tries', async () => {
    // At a thousandth of the price, so that many can be solved.
    const clock = { now: () => noon };
    const captcha = createAltchaCaptcha({ secrets: createSecrets(newSecret), clock, price: () => 0.001 });
    const counters: number[] = [];
    for (let round = 0; round < 60; round++) {
      const token = await solveCaptcha(await captcha.challenge?.());
      await captcha.check(token, '192.0.2.1');
      counters.push(JSON.parse(Buffer.from(token, 'base64').toString()).solution.counter);
    }
    const mean = counters.reduce((sum, counter) => sum + counter, 0) / counters.length;
    assert.ok(Math.min(...counters) < 150 && Math.max(...counters) > 700 && Math.max(...counters) <= 900);
    assert.ok(mean > 300 && mean < 600, `${mean}`);
  });

  it('an ALTCHA challenge costs as many rounds as its price says', async () => {
    let price = 1;
    const captcha = createAltchaCaptcha({
      secrets: createSecrets(newSecret),
      clock: { now: () => noon },
      price: () => price,
    });
    const cost = async () => {
      const { parameters } = (await captcha.challenge?.()) ?? assert.fail();
      return (parameters as { cost: number }).cost;
    };
    assert.equal(await cost(), 2000);
    price = 4;
    assert.equal(await cost(), 8000);
  });
});

describe('the captcha command', () => {
  let scripted: Scripted;
  before(async () => {
    scripted = await startScripted();
  });
  after(() => scripted.end());

  it('the captcha command fetches a challenge and returns a token that passes', async () => {
    const captcha = createAltchaCaptcha({ secrets: createSecrets(newSecret), clock: { now: () => noon } });
    const data = await captcha.challenge?.();
    scripted.play(answer({ success: true, message: '', codeError: null, data }));
    assert.ok(await captcha.check(await fetchCaptchaToken(`${scripted.address}/`), '127.0.0.1'));
    assert.deepEqual(scripted.paths, ['/api/auth/captcha/challenge']);
  });

  it('the captcha command returns "open" if there is nothing to solve', async () => {
    scripted.play(answer({ success: false, data: null }, 404));
    assert.equal(await fetchCaptchaToken(scripted.address), 'open');
    scripted.play(answer({ success: true, data: null }));
    assert.equal(await fetchCaptchaToken(scripted.address), 'open');
  });

  it('the captcha command names the answer that it cannot use', async () => {
    scripted.play(answer({ success: false, data: null }, 503));
    await assert.rejects(fetchCaptchaToken(scripted.address), /answered 503/);
    await assert.rejects(solveCaptcha({ parameters: { algorithm: 'SHA-1' } }), /not a challenge that can be solved/);
  });
});
