// Refresh tokens: version, secret id, session id, seed, counter and MAC. A forged token is refused before any query.
import { hmacSha256, isSame, sha256 } from '../kernel/digest.ts';
import { Failure } from '../kernel/failure.ts';
import { widerNetworkOf } from '../kernel/network.ts';
import { randomPart } from '../kernel/random.ts';
import type { Secrets } from '../kernel/secrets.ts';

export type RefreshToken = {
  readonly sessionId: string;
  /** 16 random bytes that only the client holds. The store keeps their hash, so store and secret together cannot create a token. */
  readonly seed: Buffer;
  readonly counter: number;
};

/** Whose session a token continues. */
export type RefreshTokenHolder = 'service' | 'app';

/** A version that knows no apps refuses 2. Otherwise it would continue the session of an app as one of the user, with every right. */
const versions = { service: 1, app: 2 } as const satisfies Record<RefreshTokenHolder, number>;

const bodyLength = 1 + 2 + 16 + 16 + 4;
const macLength = 16;
const textLength = Math.ceil(((bodyLength + macLength) * 4) / 3);

export function newSeed(): Buffer {
  return randomPart(16);
}

export function hashSeed(seed: Buffer): string {
  return sha256(seed);
}

const markLength = 11;

/** Hashes salted with the seed. Without the seed, the store cannot reverse them or link two sessions of one client. */
export function markClient(seed: Buffer, { userAgent = '', ip }: { userAgent: string | undefined; ip: string }) {
  const salt = seed.toString('base64url');
  const mark = (text: string) => sha256(`${salt} ${text}`).slice(0, markLength);
  const network = widerNetworkOf(ip);
  return { agent: mark(userAgent), network: network === undefined ? undefined : mark(network) };
}

/** Deterministic: the same input gives the same text, so a rotation can be repeated. */
export function writeRefreshToken(
  secrets: Secrets,
  token: RefreshToken,
  holder: RefreshTokenHolder = 'service',
): string {
  const bytes = Buffer.alloc(bodyLength + macLength);
  const body = bytes.subarray(0, bodyLength);
  body[0] = versions[holder];
  body.write(secrets.currentId, 1, 'hex');
  body.write(token.sessionId.replaceAll('-', ''), 3, 'hex');
  token.seed.copy(body, 19);
  body.writeUInt32BE(token.counter, 35);
  mac(secrets.currentKey('refresh token'), body).copy(bytes, bodyLength);
  return bytes.toString('base64url');
}

export function parseRefreshToken(
  secrets: Secrets,
  text: string,
  holder: RefreshTokenHolder = 'service',
): RefreshToken {
  const bytes = text.length === textLength ? Buffer.from(text, 'base64url') : undefined;
  // Encodes the bytes again, so that each token has exactly one accepted spelling.
  if (bytes === undefined || bytes.toString('base64url') !== text) throw new Failure('REFRESH_TOKEN_INVALID');
  const body = bytes.subarray(0, bodyLength);
  const key = body[0] === versions[holder] ? secrets.findKey('refresh token', body.toString('hex', 1, 3)) : undefined;
  if (key === undefined || !isSame(mac(key, body), bytes.subarray(bodyLength)))
    throw new Failure('REFRESH_TOKEN_INVALID');
  return { sessionId: uuidAt(body, 3), seed: body.subarray(19, 35), counter: body.readUInt32BE(35) };
}

function mac(key: Buffer, body: Buffer): Buffer {
  return hmacSha256(key, body).subarray(0, macLength);
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
