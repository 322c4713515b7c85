// What the tour of the looks needs before it begins: users with files, links and sessions, and staff. All of it by calls of the API.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { newPhone } from '../../helpers/browser/page-stage.ts';
import { morning, pngOf } from '../../helpers/browser/pictures.ts';
import { askForCode, askForLink, bindAddress, enter, newAddress } from '../../helpers/people/users.ts';
import { call } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { run } from '../../helpers/services/command-line.ts';
import type { TestEnv } from '../../helpers/services/gatehouse.ts';
import type { Prepared } from './look.ts';

const email = 'ada.lovelace@example.com';
const browserOf = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};
const pdf = readFileSync(new URL('../../../media/test/fixtures/files/ghostscript.pdf', import.meta.url));

/** Signs a new user in, in this browser. Returns the number and the access token. */
export async function signInHere(url: string, context: BrowserContext): Promise<{ phone: string; token: string }> {
  const { phone } = newPhone();
  const otp = await askForCode(url, phone);
  const headers = { 'user-agent': browserOf.desktop };
  const reply = await call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp }, headers });
  assert.equal(reply.status, 200, reply.body.message);
  await context.addCookies(reply.cookies.map((line) => readCookie(line, url)));
  return { phone, token: reply.body.data.JWT };
}

function readCookie(line: string, url: string) {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice('Path='.length) ?? '/';
  return { name, value, domain: new URL(url).hostname, path, httpOnly: attributes.includes('HttpOnly') };
}

/** The owner has an e-mail address, files, a deleted file, links, and a second device. */
export async function prepareOwner(url: string, env: TestEnv, context: BrowserContext): Promise<Prepared> {
  const { phone, token } = await signInHere(url, context);
  await bindAddress(url, token, email);
  const store = async (purpose: string, name: string, type: string, bytes: Buffer): Promise<string> =>
    (await storeFile(url, { token, purpose, name, type, bytes })).id;
  const lostId = await store('document', 'lost.txt', 'text/plain', Buffer.from('lost '.repeat(30_000)));
  rmSync(findLargest(join(env.DATA_DIR ?? '', 'files')));
  const deleted = await store('document', 'draft of the report.txt', 'text/plain', Buffer.from('A draft.\n'));
  await store('document', 'notes.txt', 'text/plain', Buffer.from('All that was said in the meeting.\n'.repeat(400)));
  const documentId = await store('document', 'report of the year.pdf', 'application/pdf', pdf);
  await store('image', 'harbour.png', 'image/png', pngOf(960, 700, morning));
  const pictureId = await store('image', 'garden.png', 'image/png', pngOf(960, 640));
  await call(url, 'DELETE', `/api/file/${deleted}`, { token });
  const link = async (id: string) => (await call(url, 'POST', `/api/file/${id}/links`, { token, body: {} })).body;
  const [picture, document] = [await link(pictureId), await link(documentId)];
  await enter(url, phone, browserOf.phone);
  const me = await call(url, 'GET', '/api/auth/me', { token });
  return {
    phone,
    email,
    userId: me.body.data.id,
    pictureLink: picture.data.url,
    documentLink: document.data.url,
    pictureId,
    lostId,
  };
}

/** A link by e-mail of a user who is signed in nowhere. */
export async function newLoginLink(url: string): Promise<string> {
  const { JWT } = await enter(url, newPhone().phone);
  const address = newAddress();
  await bindAddress(url, JWT, address);
  return `${url}/login/link#${await askForLink(url, address)}`;
}

/** Signs a staff member in, in this browser. */
export async function prepareStaff(env: TestEnv, context: BrowserContext): Promise<void> {
  const { data, stderr } = await run(env, 'admin', 'token', '--name', 'Ada', '--json');
  assert.ok(data, stderr);
  const page = await context.newPage();
  await page.goto(data.link);
  await page.waitForFunction(`location.hash === ''`);
  await page.locator('nav a').nth(1).waitFor();
  await page.close();
}

function findLargest(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted((a, b) => statSync(b).size - statSync(a).size);
  return files[0] ?? assert.fail(`no file in ${folder}`);
}
