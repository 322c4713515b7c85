// The tokens of the floor: Ed25519 access tokens that are verified once, and random refresh tokens from a block of random bytes.
import { generateKeyPairSync, hash, randomFillSync, sign, verify } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const header = toPart('{"alg":"EdDSA","typ":"JWT"}');
const lifeSeconds = 3600;
const rememberedTokens = 10_000;
/** When each token ends that was verified. */
const verified = new Map<string, number>();

const tokenBytes = 32;
const block = Buffer.alloc(512 * tokenBytes);
let used = block.length;

export function signToken(user: number): string {
  const now = Math.floor(Date.now() / 1000);
  const signed = `${header}.${toPart(`{"sub":"${user}","iat":${now},"exp":${now + lifeSeconds}}`)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

export function isValid(authorization = ''): boolean {
  const token = authorization.slice('Bearer '.length);
  const end = verified.get(token) ?? verifyToken(token);
  return end > Date.now() / 1000;
}

/** Returns when it ends: at 0 if the signature is wrong. */
function verifyToken(token: string): number {
  const dot = token.lastIndexOf('.');
  const signed = token.slice(0, dot);
  if (dot < 0 || !verify(null, Buffer.from(signed), publicKey, Buffer.from(token.slice(dot + 1), 'base64url')))
    return 0;
  const claims = Buffer.from(signed.slice(signed.indexOf('.') + 1), 'base64url').toString();
  const { exp } = JSON.parse(claims) as { exp: number };
  if (verified.size >= rememberedTokens) verified.clear();
  verified.set(token, exp);
  return exp;
}

export function randomToken(): string {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += tokenBytes;
  return block.toString('base64url', used - tokenBytes, used);
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

function toPart(text: string): string {
  return Buffer.from(text).toString('base64url');
}
