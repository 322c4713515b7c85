// Tokens that must be refused: real ones with flipped bits, cut, lengthened, re-signed, or in the wrong place.
import { createHmac } from 'node:crypto';
import { type Chance, flipped, nudged } from './chance.ts';

export type Tokens = { readonly accessToken: string; readonly refreshToken: string };

const alphabet = 'ABCxyz019-_.=+/ ';

/** Never equal to the token itself. */
export function forgedAccess({ accessToken, refreshToken }: Tokens, jwks: string, chance: Chance): string {
  const [header = '', payload = '', signature = ''] = accessToken.split('.');
  const ways: (() => string)[] = [
    () => [flippedPart(header, chance), payload, signature].join('.'),
    () => [header, flippedPart(payload, chance), signature].join('.'),
    () => [header, payload, flippedPart(signature, chance)].join('.'),
    () => [header, payload, ''].join('.'),
    () => [header, payload].join('.'),
    () => [header, payload, signature, signature].join('.'),
    () => [header, payload, signature, '', ''].join('.'),
    () => [header, payload, encode(chance.bytes(64))].join('.'),
    () => [header, payload, encode(Buffer.alloc(64))].join('.'),
    () =>
      [changed(header, { alg: chance.pick(['none', 'None', 'NONE', '', null, 'ES384', 'RS256']) }), payload, ''].join(
        '.',
      ),
    () => hmacSigned(changed(header, { alg: chance.pick(['HS256', 'HS512', 'HS384']) }), payload, jwks),
    () => [changed(header, { kid: oddKey(chance) }), payload, signature].join('.'),
    () =>
      [changed(header, { jwk: { kty: 'oct', k: 'AAAA' }, crit: ['b64'], b64: false }), payload, signature].join('.'),
    () => [header, changed(payload, { sub: '00000000-0000-7000-8000-000000000000' }), signature].join('.'),
    () => [header, changed(payload, { exp: 9e15, sid: null, amr: 7 }), signature].join('.'),
    () => [header, encode(chance.pick(['null', '[]', '""', '{', '7'])), signature].join('.'),
    () => `${accessToken}=`,
    () => `${accessToken}.`,
    () => `${accessToken}${'A'.repeat(3000)}`,
    () => accessToken.slice(0, chance.below(accessToken.length)),
    () => nudged(accessToken, chance, alphabet),
    () => accessToken.toLowerCase(),
    () => refreshToken,
    () => '.'.repeat(1 + chance.below(2000)),
    () => '',
  ];
  return otherThan(accessToken, chance.pick(ways)(), chance);
}

export function forgedRefresh({ accessToken, refreshToken }: Tokens, chance: Chance): string {
  const ways: (() => string)[] = [
    () => flippedPart(refreshToken, chance),
    () => flippedPart(refreshToken, chance),
    () => nudged(refreshToken, chance, alphabet),
    () => refreshToken.slice(0, chance.below(refreshToken.length)),
    () => `${refreshToken}=`,
    () => `${refreshToken}A`,
    () => encode(chance.bytes(55)),
    () => encode(Buffer.alloc(55)),
    () => refreshToken.replaceAll('-', '+').replaceAll('_', '/').padEnd(76, '='),
    () => accessToken,
    () => 'A'.repeat(4000),
  ];
  return otherThan(refreshToken, chance.pick(ways)(), chance);
}

export function forgedAdmin(token: string, chance: Chance): string {
  const forged = chance.happens(0.5) ? flippedPart(token, chance) : nudged(token, chance, '-_aZ0');
  return otherThan(token, forged, chance);
}

/** Blanks around a token are not part of it, so a change of blanks alone does not forge it. */
function otherThan(token: string, forged: string, chance: Chance): string {
  return forged.replaceAll(/^[ \t]+|[ \t]+$/g, '') === token ? `${token}${chance.pick(['x', '.', '='])}` : forged;
}

function flippedPart(part: string, chance: Chance): string {
  return encode(flipped(Buffer.from(part, 'base64url'), chance));
}

function changed(part: string, values: Record<string, unknown>): string {
  return encode(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...values }));
}

/** A known attack: the public key as the secret of a MAC. */
function hmacSigned(header: string, payload: string, jwks: string): string {
  return `${header}.${payload}.${createHmac('sha256', jwks).update(`${header}.${payload}`).digest('base64url')}`;
}

function oddKey(chance: Chance): unknown {
  return chance.pick(['', null, 7, {}, ['a'], '../../../dev/null', "x' or '1'='1", '__proto__', 'x'.repeat(500)]);
}

function encode(value: Buffer | string): string {
  return Buffer.from(value).toString('base64url');
}
