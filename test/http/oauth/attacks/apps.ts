// The apps that are attacked: one with a secret, a page without one, and one of somebody else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { sha256 } from '../../../../src/kernel/crypto/digest.ts';

export type AttackedApp = {
  readonly id: string;
  readonly redirectUri: string;
  readonly secret?: string;
  readonly scope: string;
};

export const shop: AttackedApp = {
  id: 'shop',
  redirectUri: 'https://shop.example/callback',
  secret: 'the-secret-of-the-shop-0123456789',
  scope: 'openid phone email offline_access files',
};

/** Runs in browsers and on phones, so it has no secret. */
export const page: AttackedApp = { id: 'page', redirectUri: 'https://page.example/callback', scope: 'openid phone' };

/** Belongs to somebody else, so users are asked. */
export const partner: AttackedApp = {
  id: 'partner',
  redirectUri: 'https://partner.example/callback',
  secret: 'the-secret-of-the-partner-0123456',
  scope: 'openid email',
};

/** Of somebody else too, and on phones. */
export const visitor: AttackedApp = { id: 'visitor', redirectUri: 'com.example.visitor:/callback', scope: 'openid' };

export const shopLogoutUri = 'https://shop.example/bye';

const entries = [
  {
    id: shop.id,
    name: 'The shop',
    redirectUris: [shop.redirectUri, 'https://shop.example/second?tenant=1', 'http://127.0.0.1:3000/callback'],
    firstParty: true,
    logoutUris: [shopLogoutUri],
    secretHash: sha256(shop.secret ?? ''),
    scopes: ['openid', 'phone', 'email', 'offline_access', 'files'],
  },
  {
    id: page.id,
    name: 'The page',
    redirectUris: [page.redirectUri, 'http://127.0.0.1/callback', 'com.example.page:/callback'],
    firstParty: true,
    logoutUris: ['https://page.example/bye'],
    scopes: ['openid', 'phone'],
  },
  {
    id: partner.id,
    name: 'The partner',
    redirectUris: [partner.redirectUri],
    secretHash: sha256(partner.secret ?? ''),
    scopes: ['openid', 'phone', 'email'],
    firstParty: false,
  },
  { id: visitor.id, name: 'The visitor', redirectUris: [visitor.redirectUri], firstParty: false },
];

/** The settings of a service that knows these apps. The file is removed after the tests. */
export function attackedSettings(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'apps.json');
  writeFileSync(file, JSON.stringify(entries));
  return { APPS_FILE: file, SECRET: serviceSecret, SMS_URL: 'inbox:', CAPTCHA_URL: 'open:' };
}

export const serviceSecret = 'a-secret-of-a-service-that-is-attacked-0123456789';
