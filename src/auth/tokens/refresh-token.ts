// Refresh tokens: version, secret id, session id, seed, counter and MAC. A forged token is refused before any query.
import { sha256 } from '../../kernel/crypto/digest.ts';
import { bodyStart, createOpaqueTokens } from '../../kernel/crypto/opaque-token.ts';
import { randomPart } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { readUuid, writeUuid } from '../../kernel/crypto/uuid.ts';
import { Failure } from '../../kernel/failure.ts';
import { widerNetworkOf } from '../../kernel/net/network.ts';
import type { ClientMarks } from '../sessions/rotation-client.ts';
import type { SessionId } from '../sessions/session-id.ts';

export type RefreshToken = {
  readonly sessionId: SessionId;
  /** 16 random bytes that only the client holds. The store keeps their hash, so store and secret together cannot create a token. */
  readonly seed: Buffer;
  readonly counter: number;
};

/** Whose session a token continues. */
type RefreshTokenHolder = 'service' | 'app';

/** A version that knows no apps refuses 2. Otherwise it would continue the session of an app as one of the user, with every right. */
const versions = { service: 1, app: 2 } as const satisfies Record<RefreshTokenHolder, number>;

const sessionAt = bodyStart;
const seedAt = sessionAt + 16;
const counterAt = seedAt + 16;

const tokens = createOpaqueTokens<void>({
  purpose: 'refresh token',
  bodyLength: counterAt + 4,
  signed: (body) => body,
});

export function newSeed(): Buffer {
  return randomPart(16);
}

export function hashSeed(seed: Buffer): string {
  return sha256(seed);
}

const markLength = 11;

/** `device`: the id of its device token, undefined without a valid one. */
type Client = {
  readonly userAgent: string | undefined;
  readonly ip: string;
  readonly device: string | undefined;
};

/** Hashes salted with the seed. Without the seed, the store cannot reverse them or link two sessions of one client. */
export function markClient(seed: Buffer, { userAgent = '', ip, device }: Client): ClientMarks {
  const salt = seed.toString('base64url');
  const mark = (text: string) => sha256(`${salt} ${text}`).slice(0, markLength);
  const network = widerNetworkOf(ip);
  return {
    agent: mark(userAgent),
    network: network === undefined ? undefined : mark(network),
    device: device === undefined ? '' : mark(device),
  };
}

/** Deterministic: the same input gives the same text, so a rotation can be repeated. */
export function writeRefreshToken(
  secrets: Secrets,
  token: RefreshToken,
  holder: RefreshTokenHolder = 'service',
): string {
  return tokens.write(secrets, versions[holder], undefined, ({ body }) => {
    writeUuid(body, token.sessionId, sessionAt);
    token.seed.copy(body, seedAt);
    body.writeUInt32BE(token.counter, counterAt);
  });
}

export function parseRefreshToken(
  secrets: Secrets,
  text: string,
  holder: RefreshTokenHolder = 'service',
): RefreshToken {
  const body = tokens.read(secrets, versions[holder], undefined, text)?.body;
  if (body === undefined) throw new Failure('REFRESH_TOKEN_INVALID');
  return {
    sessionId: readUuid(body, sessionAt) as SessionId,
    seed: body.subarray(seedAt, counterAt),
    counter: body.readUInt32BE(counterAt),
  };
}
