// ALTCHA, the self-hosted proof of work: signs challenges, and checks solutions with a few keyed hashes, without deriving a key.

import { randomInt } from 'node:crypto';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Captcha, CaptchaSpend } from '../../abuse/captcha.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hmacSha256, isSame } from '../../kernel/crypto/digest.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { Failure } from '../../kernel/failure.ts';
import { asRecord } from '../../kernel/text/as-record.ts';

type Payload = {
  /** Everything that the signature covers. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signature: string;
  readonly nonce: string;
  readonly keySignature: string;
  readonly expiresAtSeconds: number;
  readonly counter: number;
  readonly derivedKey: Buffer;
};

const maxTokenLength = 4096;
const lifeMs = 120_000;
/** Spent solutions are kept this long after their challenge expires, to allow for clock skew between servers. */
const sweepAfterMs = 600_000;
/**
 * About half a second on a laptop at the base price. The counter is random over the whole range that a solver tries,
 * so knowing the source code gives no advantage.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2000, keyLength: 32, mostCounter: 900 };

type AltchaParts = {
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** A factor on the base work. */
  readonly price?: () => number;
};

export function createAltchaCaptcha({ secrets, clock, price = () => 1 }: AltchaParts): Captcha {
  return {
    challenge: () => signChallenge(secrets.currentKey('captcha'), clock.now() + lifeMs, price()),
    check: async (token) => {
      const payload = parseToken(token);
      const spend = payload && findSpend(payload, secrets, clock.now());
      if (spend === undefined) throw new Failure('CAPTCHA_INVALID');
      return spend;
    },
  };
}

async function signChallenge(key: Buffer, expiresAt: number, price: number): Promise<Record<string, unknown>> {
  const { algorithm, keyLength, mostCounter } = work;
  const counter = randomInt(mostCounter + 1);
  const { parameters, signature } = await createChallenge({
    algorithm,
    cost: Math.ceil(work.cost * price),
    keyLength,
    counter,
    // Lets a client show the progress of the solver.
    data: { mostCounter },
    deriveKey,
    expiresAt: Math.ceil(expiresAt / 1000),
    hmacSignatureSecret: signatureSecret(key),
    hmacKeySignatureSecret: solutionSecret(key, counter),
  });
  return { parameters, signature };
}

/** Repeats the steps of the library's own check, which uses the system clock instead of an injected one. */
function findSpend(payload: Payload, secrets: Secrets, now: number): CaptchaSpend | undefined {
  const signed = canonicalJson(payload.parameters);
  const key = secrets.ids
    .map((id) => secrets.findKey('captcha', id))
    .find((candidate) => candidate && isSigned(signed, signatureSecret(candidate), payload.signature));
  if (key === undefined) return undefined;
  const expiresAt = payload.expiresAtSeconds * 1000;
  if (now >= expiresAt) return undefined;
  if (!isSigned(payload.derivedKey, solutionSecret(key, payload.counter), payload.keySignature)) return undefined;
  // The nonce is random and signed, so one challenge has one id, however its token is encoded.
  return { id: `altcha:${payload.nonce}`, sweepAt: expiresAt + sweepAfterMs };
}

function isSigned(data: string | Buffer, secret: string, signature: string): boolean {
  return isSame(hmacSha256(Buffer.from(secret), data).toString('hex'), signature);
}

function signatureSecret(key: Buffer): string {
  return hmacSha256(key, 'challenge').toString('hex');
}

/** Includes the counter, so the key signature proves both values and a check does not need to derive the key again. */
function solutionSecret(key: Buffer, counter: number): string {
  return hmacSha256(key, `solution ${counter}`).toString('hex');
}

/** The format that the library signs. Our nested objects have at most one name, so only the first level needs sorting. */
function canonicalJson(parameters: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(parameters).sort();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, parameters[name]])));
}

function parseToken(token: string): Payload | undefined {
  if (token.length > maxTokenLength || !/^[\w+/-]+={0,2}$/.test(token)) return undefined;
  try {
    return readPayload(JSON.parse(Buffer.from(token, 'base64').toString()));
  } catch {
    return undefined;
  }
}

function readPayload(json: unknown): Payload | undefined {
  const { challenge, solution } = asRecord(json);
  const { parameters, signature } = asRecord(challenge);
  const { counter, derivedKey } = asRecord(solution);
  const signed = asRecord(parameters);
  const { nonce, keySignature, expiresAt } = signed;
  if (typeof signature !== 'string' || typeof nonce !== 'string' || typeof keySignature !== 'string') return undefined;
  if (typeof expiresAt !== 'number' || typeof counter !== 'number' || !Number.isSafeInteger(counter)) return undefined;
  if (typeof derivedKey !== 'string' || !/^[0-9a-f]{64}$/.test(derivedKey)) return undefined;
  const key = Buffer.from(derivedKey, 'hex');
  return { parameters: signed, signature, nonce, keySignature, expiresAtSeconds: expiresAt, counter, derivedKey: key };
}
