// Forges tokens: unsigned, signed by the wrong key or algorithm, and well signed with wrong contents.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { toLowS } from '../../../../src/auth/tokens/low-s.ts';
import { openSigningKey } from '../../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../../src/kernel/crypto/secrets.ts';
import { createPorts } from '../../../../src/store/ports.ts';
import type { Stage } from '../../../helpers/services/stage.ts';
import { serviceSecret } from './apps.ts';

type Json = Readonly<Record<string, unknown>>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function partsOf(token: string): { header: Json; claims: Json } {
  const [header = {}, claims = {}] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json);
  return { header, claims };
}

function signEs256(header: Json, claims: Json, key: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${toLowS(signature).toString('base64url')}`;
}

function signHs256(header: Json, claims: Json, secret: string | Buffer): string {
  const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** The private key of the service, as only its operator can read it. */
async function ownKey(stage: Stage, id: unknown): Promise<KeyObject> {
  const stored = (await createPorts(stage.service.store).signingKeys.listKeys()).find((key) => key.id === id);
  const opened = stored && openSigningKey(createSecrets(serviceSecret), stored);
  if (opened === undefined) throw new Error(`no key ${id}`);
  return opened.privateKey;
}

/** Forgeries that nobody needs a key of the service for. `secret` is one that the attacker knows. */
export async function forgeries(stage: Stage, genuine: string, secret: string): Promise<Record<string, string>> {
  const { header, claims } = partsOf(genuine);
  const [first = '', second = '', third = ''] = genuine.split('.');
  const jwks = await (await fetch(`${stage.url}/.well-known/jwks.json`)).text();
  const { keys } = JSON.parse(jwks) as { keys: Json[] };
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    'the algorithm “none” and no signature': `${encode({ ...header, alg: 'none' })}.${second}.`,
    'the algorithm “None” and the old signature': `${encode({ ...header, alg: 'None' })}.${second}.${third}`,
    'no signature': `${first}.${second}.`,
    'HS256 with the published keys as the secret': signHs256(header, claims, jwks),
    'HS256 with the key as the secret': signHs256(header, claims, JSON.stringify(keys[0])),
    'HS256 with the secret of the app': signHs256(header, claims, secret),
    'the key of somebody else': signEs256(header, claims, own.privateKey),
    'a key in its own header': signEs256(
      { ...header, jwk: own.publicKey.export({ format: 'jwk' }) },
      claims,
      own.privateKey,
    ),
    'another user': `${first}.${encode({ ...claims, sub: 'somebody-else' })}.${third}`,
    'two parts': `${first}.${second}`,
    nonsense: 'a.b.c',
  };
}

/** Signed by the service, with other contents. */
export async function signedWith(stage: Stage, genuine: string, header: Json, claims: Json): Promise<string> {
  const parts = partsOf(genuine);
  const whole = { ...parts.claims, ...claims };
  return signEs256({ ...parts.header, ...header }, whole, await ownKey(stage, parts.header.kid));
}
