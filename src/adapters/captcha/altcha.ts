// ALTCHA, the self-hosted proof of work: signs challenges, and checks solutions by a few keyed hashes, never by deriving a key.
import { randomInt } from 'node:crypto';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Captcha, CaptchaSpend } from '../../abuse/captcha.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hmacSha256, isSame } from '../../kernel/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Secrets } from '../../kernel/secrets.ts';

type Payload = {
  /** Everything the signature covers. */
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
/** Spent solutions outlive their challenge by this much, for servers whose clocks differ. */
const sweepAfterMs = 600_000;
/**
 * Half a second or so on a laptop, at the price of a quiet day. The counter is drawn from all that a solver tries: who knows the
 * source begins where everybody begins.
 */
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2000, keyLength: 32, mostCounter: 900 };

export type AltchaParts = {
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Times the work of a quiet day. */
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
    // For whoever shows how far the solver has come.
    data: { mostCounter },
    deriveKey,
    expiresAt: Math.ceil(expiresAt / 1000),
    hmacSignatureSecret: signatureSecret(key),
    hmacKeySignatureSecret: solutionSecret(key, counter),
  });
  return { parameters, signature };
}

/** The library's own check asks the machine's clock, so its steps are taken here by the clock that was handed in. */
function findSpend(payload: Payload, secrets: Secrets, now: number): CaptchaSpend | undefined {
  const signed = canonicalJson(payload.parameters);
  const key = secrets.ids
    .map((id) => secrets.findKey('captcha', id))
    .find((candidate) => candidate && isSigned(signed, signatureSecret(candidate), payload.signature));
  if (key === undefined) return undefined;
  const expiresAt = payload.expiresAtSeconds * 1000;
  if (now >= expiresAt) return undefined;
  if (!isSigned(payload.derivedKey, solutionSecret(key, payload.counter), payload.keySignature)) return undefined;
  // The nonce is random and signed: one challenge has one id, however its token is written.
  return { id: `altcha:${payload.nonce}`, sweepAt: expiresAt + sweepAfterMs };
}

function isSigned(data: string | Buffer, secret: string, signature: string): boolean {
  return isSame(hmacSha256(Buffer.from(secret), data).toString('hex'), signature);
}

function signatureSecret(key: Buffer): string {
  return hmacSha256(key, 'challenge').toString('hex');
}

/** Holds the counter, so that the key's signature proves both of them and a check need not derive the key again. */
function solutionSecret(key: Buffer, counter: number): string {
  return hmacSha256(key, `solution ${counter}`).toString('hex');
}

/** As the library writes what it signs. Below the first level ours hold one name at most, so there is nothing to order. */
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

/** Empty for anything but an object, so that reading a field of junk gives undefined. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
