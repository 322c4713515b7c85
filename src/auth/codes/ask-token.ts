// Ask tokens: they distinguish the client that requested a code from strangers who guess it. The service stores none of them.
import { isMac, writeMac } from '../../kernel/crypto/digest.ts';
import { randomPart } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
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
  bytes[0] = version;
  bytes.write(secrets.currentId, 1, 'hex');
  randomPart(idLength).copy(bytes, 3);
  bytes.writeUInt32BE(Math.ceil(now / 1000 + lifeSeconds), 3 + idLength);
  writeMac(secrets.currentKey('ask token'), textOf(bytes, subject), bytes, bodyLength, macLength);
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
  const key = bytes[0] === version ? secrets.findKey('ask token', bytes.toString('hex', 1, 3)) : undefined;
  if (key === undefined || !isMac(key, textOf(bytes, subject), bytes.subarray(bodyLength))) return undefined;
  if (now >= bytes.readUInt32BE(3 + idLength) * 1000) return undefined;
  return bytes.toString('base64url', 3, 3 + idLength);
}

function textOf(bytes: Buffer, { purpose, recipient, userId = '' }: CodeSubject): string {
  return `${bytes.toString('base64url', 0, bodyLength)}\n${purpose}\n${recipient}\n${userId}`;
}
