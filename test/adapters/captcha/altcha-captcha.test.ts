// The proof of work: a solved challenge passes once per challenge, and nothing forged, changed, late or foreign does.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createAltchaCaptcha } from '../../../src/adapters/captcha/altcha-captcha.ts';
import { solveCaptcha } from '../../../src/commands/developer/solve-captcha.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const now = Date.UTC(2031, 4, 5, 12);
const first = 'the first secret, long enough to be one';
const second = 'the second secret, long enough to be one';
/** The cheapest work there is. */
const price = () => 0.0005;

const captchaOf = (secret: string, previous?: string, time = now) =>
  createAltchaCaptcha({ secrets: createSecrets(secret, previous), clock: { now: () => time }, price });

type Token = {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string };
};

const write = (token: unknown) => Buffer.from(JSON.stringify(token)).toString('base64');

describe('a solved challenge', () => {
  let token = '';
  let parts: Token;
  before(async () => {
    const challenge = await captchaOf(first).challenge?.();
    token = await solveCaptcha(challenge);
    parts = JSON.parse(Buffer.from(token, 'base64').toString()) as Token;
  });

  it('passes, and its id and end follow from the challenge', async () => {
    const { nonce, expiresAt } = parts.challenge.parameters;
    assert.deepEqual(await captchaOf(first).check(token, ''), {
      id: `altcha:${nonce}`,
      sweepAt: Number(expiresAt) * 1000 + 600_000,
    });
  });

  it('has the same id however its token is encoded', async () => {
    const { challenge, solution } = parts;
    const id = (await captchaOf(first).check(token, ''))?.id;
    for (const other of [
      write({ solution, challenge }),
      write({ challenge: { ...challenge, more: 1 }, solution: { ...solution, took: 5 } }),
      Buffer.from(JSON.stringify(parts, null, 2)).toString('base64'),
      token.replace(/=+$/, ''),
      Buffer.from(token, 'base64').toString('base64url'),
    ])
      assert.equal((await captchaOf(first).check(other, ''))?.id, id);
  });

  for (const [what, later, passes] of [
    ['just before its end', 119_999, true],
    ['at its end', 120_000, false],
    ['after its end', 120_001, false],
  ] as const) {
    it(`${what} ${passes ? 'passes' : 'is refused'}`, async () => {
      const check = captchaOf(first, undefined, now + later).check(token, '');
      if (passes) assert.ok(await check);
      else await assert.rejects(check, { code: 'CAPTCHA_INVALID' });
    });
  }

  it('passes under the previous secret, and not once that is gone', async () => {
    assert.ok(await captchaOf(second, first).check(token, ''));
    await assert.rejects(captchaOf(second).check(token, ''), { code: 'CAPTCHA_INVALID' });
  });

  const changes: Readonly<Record<string, (token: Token) => unknown>> = {
    'another counter': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, counter: solution.counter + 1 },
    }),
    'a negative counter': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, counter: -solution.counter - 1 },
    }),
    'a counter that is a text': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, counter: `${solution.counter}` },
    }),
    'a counter with a fraction': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, counter: solution.counter + 0.5 },
    }),
    'another key': ({ challenge, solution }) => ({ challenge, solution: { ...solution, derivedKey: 'a'.repeat(64) } }),
    'a key in capitals': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, derivedKey: `${solution.derivedKey.slice(0, 63)}A` },
    }),
    'a short key': ({ challenge, solution }) => ({
      challenge,
      solution: { ...solution, derivedKey: solution.derivedKey.slice(1) },
    }),
    'no key': ({ challenge, solution }) => ({ challenge, solution: { counter: solution.counter } }),
    'another signature': ({ challenge, solution }) => ({
      challenge: { ...challenge, signature: 'a'.repeat(64) },
      solution,
    }),
    'no signature': ({ challenge: { parameters }, solution }) => ({ challenge: { parameters }, solution }),
    'no challenge': ({ solution }) => ({ solution }),
    'no solution': ({ challenge }) => ({ challenge }),
    nothing: () => ({}),
    null: () => null,
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`with ${what} is refused`, () =>
      assert.rejects(captchaOf(first).check(write(change(parts)), ''), { code: 'CAPTCHA_INVALID' }));
  }

  it('with any signed parameter changed, added or removed is refused', async () => {
    const { challenge, solution } = parts;
    const { parameters } = challenge;
    const spoiled = [
      ...Object.keys(parameters).flatMap((name) => [
        Object.fromEntries(Object.entries(parameters).filter(([each]) => each !== name)),
        {
          ...parameters,
          [name]: typeof parameters[name] === 'number' ? Number(parameters[name]) + 1 : `${parameters[name]}x`,
        },
      ]),
      { ...parameters, more: 1 },
    ];
    for (const each of spoiled)
      await assert.rejects(
        captchaOf(first).check(write({ challenge: { ...challenge, parameters: each }, solution }), ''),
        {
          code: 'CAPTCHA_INVALID',
        },
      );
  });

  it('is accepted up to 4096 characters, and refused above', async () => {
    const padded = (length: number) => {
      for (let size = 0; size < length; size++) {
        const text = write({ ...parts, more: 'x'.repeat(size) });
        if (text.length >= length) return text;
      }
      return assert.fail();
    };
    assert.ok(await captchaOf(first).check(padded(4096), ''));
    await assert.rejects(captchaOf(first).check(padded(4097), ''), { code: 'CAPTCHA_INVALID' });
  });
});

describe('a text that is no token', () => {
  it('is refused whatever it is, and never throws anything else', async () => {
    const captcha = captchaOf(first);
    const token = fc.oneof(
      fc.string(),
      fc.json().map((json) => Buffer.from(json).toString('base64')),
    );
    const property = fc.asyncProperty(token, (text) =>
      assert.rejects(captcha.check(text, ''), { code: 'CAPTCHA_INVALID' }),
    );
    await fc.assert(property, { seed, numRuns: 60, examples: [[''], ['=='], ['bnVsbA==']] });
  });
});

describe('a challenge', () => {
  it('names its work, ends after two minutes, and never repeats its nonce', async () => {
    const captcha = captchaOf(first);
    const made = (await Promise.all([captcha.challenge?.(), captcha.challenge?.()])) as Token['challenge'][];
    for (const { parameters } of made) {
      assert.equal(parameters.algorithm, 'PBKDF2/SHA-256');
      assert.equal(parameters.cost, 1);
      assert.equal(parameters.expiresAt, now / 1000 + 120);
      assert.deepEqual(parameters.data, { mostCounter: 900 });
    }
    assert.notEqual(made[0]?.parameters.nonce, made[1]?.parameters.nonce);
  });

  for (const [factor, cost] of [
    [1, 2000],
    [1.0001, 2001],
    [8, 16_000],
  ] as const) {
    it(`costs ${cost} at ${factor} times the price`, async () => {
      const captcha = createAltchaCaptcha({
        secrets: createSecrets(first),
        clock: { now: () => now },
        price: () => factor,
      });
      const made = (await captcha.challenge?.()) as Token['challenge'] | undefined;
      assert.equal(made?.parameters.cost, cost);
    });
  }
});
