// Target: the token of a solved captcha. The first byte says whether the rest is the token, or JSON that gets right signatures.
import assert from 'node:assert/strict';
import { createAltchaCaptcha } from '../../../src/adapters/captcha/altcha-captcha.ts';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { FuzzTarget } from '../engine/target.ts';

const secrets = createSecrets('s'.repeat(40));
const now = 1_000_000;
const captcha = createAltchaCaptcha({ secrets, clock: { now: () => now } });

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hex(secret: string | Buffer, data: string | Buffer): string {
  return hmacSha256(Buffer.from(secret), data).toString('hex');
}

/** As the service signs a challenge, whatever its parameters are. */
function sealed(text: string): string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return Buffer.from(text).toString('base64');
  }
  if (!isObject(json) || !isObject(json.challenge) || !isObject(json.solution)) return encode(json);
  const { parameters } = json.challenge;
  const { counter, derivedKey } = json.solution;
  if (!isObject(parameters)) return encode(json);
  const key = secrets.currentKey('captcha');
  parameters.keySignature = hex(hex(key, `solution ${counter}`), Buffer.from(String(derivedKey), 'hex'));
  const inOrder = Object.fromEntries(
    Object.keys(parameters)
      .sort()
      .map((name) => [name, parameters[name]]),
  );
  json.challenge.signature = hex(hex(key, 'challenge'), JSON.stringify(inOrder));
  return encode(json);
}

function encode(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64');
}

const solved = {
  challenge: {
    parameters: { algorithm: 'PBKDF2/SHA-256', nonce: 'ab12', cost: 2000, expiresAt: 2000, data: { mostCounter: 900 } },
  },
  solution: { counter: 5, derivedKey: '0'.repeat(64) },
};

export const targets: readonly FuzzTarget[] = [
  {
    name: 'captcha-token',
    promise:
      'accepts only a challenge that this service signed, solved and not expired; refuses anything else in one way',
    run: async (input) => {
      const text = input.subarray(1).toString('latin1');
      const isSealed = input[0] === 1;
      const spend = await captcha.check(isSealed ? sealed(text) : text, '').catch((error: unknown) => {
        assert.ok(error instanceof Failure, String(error));
        assert.equal(error.code, 'CAPTCHA_INVALID');
      });
      if (!spend) return 'refused';
      assert.match(spend.id, /^altcha:/);
      assert.ok(spend.sweepAt > now, 'a solution that would be forgotten at once');
      return 'accepted';
    },
    seeds: () => [
      Buffer.from(`\x01${JSON.stringify(solved)}`, 'latin1'),
      Buffer.from(`\x00${sealed(JSON.stringify(solved))}`, 'latin1'),
      Buffer.from(`\x01{"challenge":[],"solution":null}`, 'latin1'),
      Buffer.from('\x00AAAA', 'latin1'),
    ],
    words: ['"counter":1e9', '"expiresAt":1e999', '"nonce":', '__proto__', '"signature":', 'null', '[]', '{}'],
    longest: 5_000,
    mostWork: (size) => 20_000 + 50 * size,
  },
];
