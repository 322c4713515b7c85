// Solves the captcha challenge of a running service, as a browser would.

import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { asRecord } from '../../kernel/text/as-record.ts';
import { CommandError } from '../command-error.ts';

const timeoutMs = 10_000;

/** The value of the header `captcha-token`. It is "open" where the service offers no challenge and accepts any text. */
export async function fetchCaptchaToken(baseUrl: string): Promise<string> {
  const address = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/api/auth/captcha/challenge`;
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(address))
    throw new CommandError(`--url takes a URL such as http://localhost:8080, and “${baseUrl}” is not one.`, 2);
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).catch(unreachable(baseUrl));
  if (response.status === 404) return 'open';
  if (!response.ok) {
    await response.body?.cancel();
    throw new CommandError(`${address} answered ${response.status}. Is that a Gatehouse service, and is it ready?`);
  }
  const { data } = asRecord(await response.json().catch(() => undefined));
  return asRecord(data).parameters === undefined ? 'open' : solveCaptcha(data);
}

function unreachable(baseUrl: string): (error: Error) => never {
  return ({ cause, message }) => {
    const { code = message } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new CommandError(
      `${baseUrl} cannot be reached (${code}). Is the service running there? Use --url to name another address.`,
    );
  };
}

export async function solveCaptcha(challenge: unknown): Promise<string> {
  if (!isChallenge(challenge)) throw new Error('this is not a challenge that can be solved here');
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('the challenge was not solved in time');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

function isChallenge(value: unknown): value is Challenge {
  const { parameters, signature } = asRecord(value);
  const { algorithm, nonce, salt, keyPrefix, cost, keyLength } = asRecord(parameters);
  const isText = [signature, nonce, salt, keyPrefix].every((field) => typeof field === 'string');
  return isText && algorithm === 'PBKDF2/SHA-256' && Number.isInteger(cost) && Number.isInteger(keyLength);
}
