// Ask tokens: they distinguish the client that requested a code from strangers who guess it. The service stores none of them.
import { hmacSha256, isSame } from '../kernel/digest.ts';
import { randomPart } from '../kernel/random.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { CodeSubject } from './challenge.ts';

/** Returned with every request for a code, whether or not the recipient has an account. */
export type AskToken = { readonly text: string; readonly lifeSeconds: number };

const version = 1;
const idLength = 9;
const bodyLength = 1 + 2 + idLength + 4;
const macLength = 16;
const textLength = Math.ceil(((bodyLength + macLength) * 4) / 3);

/** Expires with a code that is sent now. */
export function writeAskToken(secrets: Secrets, subject: CodeSubject, lifeSeconds: number, now: number): AskToken {
  const bytes = Buffer.alloc(bodyLength + macLength);
  const body = bytes.subarray(0, bodyLength);
  body[0] = version;
  body.write(secrets.currentId, 1, 'hex');
  randomPart(idLength).copy(body, 3);
  body.writeUInt32BE(Math.ceil(now / 1000 + lifeSeconds), 3 + idLength);
  macOf(secrets.currentKey('ask token'), body, subject).copy(bytes, bodyLength);
  return { text: bytes.toString('base64url'), lifeSeconds };
}

/** Returns the id of the client that requested the code. Undefined if the token is forged, expired or for another recipient. */
export function readAsker(
  secrets: Secrets,
  text: string | undefined,
  subject: CodeSubject,
  now: number,
): string | undefined {
  const bytes = text?.length === textLength ? Buffer.from(text, 'base64url') : undefined;
  if (bytes === undefined || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, bodyLength);
  const key = body[0] === version ? secrets.findKey('ask token', body.toString('hex', 1, 3)) : undefined;
  if (key === undefined || !isSame(macOf(key, body, subject), bytes.subarray(bodyLength))) return undefined;
  if (now >= body.readUInt32BE(3 + idLength) * 1000) return undefined;
  return body.toString('base64url', 3, 3 + idLength);
}

function macOf(key: Buffer, body: Buffer, { purpose, recipient, userId = '' }: CodeSubject): Buffer {
  const text = `${body.toString('base64url')}\n${purpose}\n${recipient}\n${userId}`;
  return hmacSha256(key, text).subarray(0, macLength);
}
