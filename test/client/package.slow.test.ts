// The package as an app gets it: packed, installed into an empty project without a network, used from plain JavaScript, small.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { codeIn } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { openTabStage, signInAt } from '../helpers/client/tabs.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const tsc = join(root, 'node_modules/.bin/tsc');

describe('the client package', () => {
  let project: string;
  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'gatehouse-app-'));
    // As in a normal shell, because the npm settings of these tests apply to child processes too.
    const env = { ...process.env, npm_config_ignore_scripts: 'false' };
    await run('npm', ['pack', '--pack-destination', project], { cwd: join(root, 'client'), env });
    writeFileSync(join(project, 'package.json'), '{"name":"app","private":true,"type":"module"}');
    await run('npm', ['install', '--offline', './gatehouse-client-0.0.2.tgz'], { cwd: project });
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it('the client package starts a service for tests, signs in and verifies, from plain JavaScript', async () => {
    writeFileSync(join(project, 'app.js'), app);
    const { stdout } = await run('node', ['app.js'], { cwd: project, env: { ...process.env, GATEHOUSE_DIR: root } });
    assert.deepEqual(stdout.trim().split('\n'), [
      'signed-in',
      'notes.txt',
      'true',
      'true',
      'NOT_FOUND',
      'ann@example.com',
      'logged-out',
    ]);
  });

  it('the client package works in a page that bundles it, in a real browser', async (t) => {
    const stage = await openTabStage({ ACCESS_TOKEN_LIFE: '10s' }, { module: '@gatehouse/client', folder: project });
    if (stage === undefined) return t.skip('no Chromium');
    t.after(() => stage.close());
    const { context, pages, renewals, problems } = await stage.openTabs(2, 'cookie');
    const [page] = pages as [Page];
    const phone = await signInAt(stage, page);
    await page.evaluate(() => gatehouse.email.sendCode('ann@example.com'));
    const [mail] = await stage.messages('ann@example.com');
    await page.evaluate((code) => gatehouse.email.bind('ann@example.com', code), codeIn(mail ?? assert.fail()));
    const shown = await page.evaluate(showPicture, pngOf(1500, 1000).toString('base64'));
    assert.deepEqual(shown, { size: [1500, 1000], sentAll: true });
    while (renewals.length < 200) await Promise.all(pages.map((tab) => tab.evaluate(renewTenTimes)));
    assert.deepEqual(new Set(renewals), new Set([200]));
    const seen = await Promise.all(pages.map((tab) => tab.evaluate(() => gatehouse.me())));
    for (const me of seen) assert.deepEqual([me.phone, me.email], [phone, 'ann@example.com']);
    assert.deepEqual(await Promise.all(pages.map((tab) => tab.evaluate(() => events))), [['signed-in'], ['signed-in']]);
    assert.deepEqual(problems(), []);
    await context.close();
  });

  it('the client package has types that check with and without those of browsers', async () => {
    writeFileSync(join(project, 'app.ts'), typedApp);
    mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    for (const [lib, module, resolution] of [
      ['es2022', 'nodenext', 'nodenext'],
      ['es2022,dom', 'esnext', 'bundler'],
    ] as const) {
      const how = ['--lib', lib, '--module', module, '--moduleResolution', resolution, '--types', 'node'];
      await run(tsc, ['--noEmit', '--strict', '--target', 'es2022', ...how, 'app.ts'], { cwd: project });
    }
  });

  it('the client package has a form for engines without import.meta', () => {
    const text = readFileSync(join(project, 'node_modules/@gatehouse/client/dist/native/create-gatehouse.js'), 'utf8');
    assert.doesNotMatch(text, /import\.meta|^import /m);
  });

  for (const [entry, most] of [
    ['create-gatehouse', 13_824],
    ['service', 6144],
  ] as const)
    it(`the entry ${entry} of the client package has at most ${most / 1024} KB, minified and compressed`, async () => {
      const { outputFiles } = await build({
        entryPoints: [join(root, `client/src/${entry}.ts`)],
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
      });
      const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
      assert.ok(size <= most, `${size} bytes`);
    });
});

// These two run in the tab.

async function showPicture(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const file = new File([bytes], 'me.png', { type: 'image/png' });
  let sent = 0;
  const onProgress = (progress: { sentBytes: number; totalBytes: number }) => {
    sent = progress.sentBytes / progress.totalBytes;
  };
  const { id } = await gatehouse.files.upload(file, { purpose: 'image', onProgress });
  const image = new Image();
  image.src = gatehouse.files.url(id);
  await image.decode();
  return { size: [image.naturalWidth, image.naturalHeight], sentAll: sent === 1 };
}

async function renewTenTimes(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await gatehouse.refresh();
    await gatehouse.me();
  }
}

const app = `
import { createGatehouse, GatehouseError } from '@gatehouse/client';
import { startTestGatehouse } from '@gatehouse/client/testing';
import { createService } from '@gatehouse/client/service';
import { createVerifier } from '@gatehouse/client/verifier';

const service = await startTestGatehouse();
try {
  const values = new Map();
  const storage = { get: async (key) => values.get(key), set: async (key, value) => void values.set(key, value), remove: async (key) => void values.delete(key) };
  const gatehouse = createGatehouse({ url: service.url, storage });
  gatehouse.on('signed-in', () => console.log('signed-in'));
  gatehouse.on('signed-out', ({ reason }) => console.log(reason));
  await gatehouse.phone.sendCode('+12025550123');
  await gatehouse.phone.signIn('+12025550123', await service.inbox.code('+12025550123'));
  const bytes = new Blob(['hello'], { type: 'text/plain' });
  console.log((await gatehouse.files.upload(bytes, { purpose: 'document', name: 'notes.txt' })).name);
  const { JWT } = JSON.parse([...values.values()].find((text) => text.startsWith('{'))).tokens;
  const { sub } = await createVerifier({ url: service.url }).verify(JWT);
  console.log(sub === (await gatehouse.me()).id);
  const backEnd = createService({ url: service.url, key: 'gks_0123456789ab_' + 's'.repeat(43) });
  console.log((await backEnd.verifyRequest({ cookie: 'JWT=' + JWT })).userId === sub);
  console.log((await backEnd.users.get(sub).catch((error) => error)).code);
  await gatehouse.email.sendCode('ann@example.com');
  await gatehouse.email.bind('ann@example.com', await service.inbox.code('ann@example.com'));
  await gatehouse.email.sendLink('ann@example.com');
  const other = createGatehouse({ url: service.url });
  await other.email.signIn(new URL(await service.inbox.link('ann@example.com')).hash.slice(1));
  console.log((await other.me()).email);
  await gatehouse.signOut();
  const error = await gatehouse.me().catch((error) => error);
  if (!(error instanceof GatehouseError) || error.status !== 401) throw error;
} finally {
  await service.stop();
}
`;

const typedApp = `
import { createGatehouse, createUploadControl, type FileRecord, findFault, GatehouseError } from '@gatehouse/client';
import type { PendingUpload, UploadControl } from '@gatehouse/client';
import { startTestGatehouse, type TestGatehouse } from '@gatehouse/client/testing';
import { createService, type FollowedEvent, type User } from '@gatehouse/client/service';
import { createVerifier } from '@gatehouse/client/verifier';

const gatehouse = createGatehouse({ url: 'https://id.example.com', mode: 'header' });
gatehouse.on('signed-out', ({ reason }) => reason satisfies 'logged-out' | 'ended' | 'deleted');
const control: UploadControl = createUploadControl();
export const saved: Promise<FileRecord> = gatehouse.files.upload(new Blob(['x']), { purpose: 'document', control });
export const pending: Promise<readonly PendingUpload[]> = gatehouse.files.pendingUploads();
export const service: Promise<TestGatehouse> = startTestGatehouse();
const backEnd = createService({ url: 'https://id.example.com', key: 'gks_0_0' });
export async function follow(): Promise<[User[], FollowedEvent | undefined]> {
  const users: User[] = [];
  for await (const user of backEnd.users.list()) users.push(user);
  const { userId } = await backEnd.verifyRequest({ authorization: 'Bearer x' }, { checkRevocation: true });
  await (await backEnd.files.content(userId)).arrayBuffer();
  for await (const event of backEnd.events.follow({ pollEvery: 10 })) return [users, event];
  return [users, undefined];
}
export const user: Promise<string> = createVerifier({ issuer: 'https://id.example.com' }).verify('').then(({ sub }) => sub);
export async function address(): Promise<string | null> {
  const { purposes: [first] } = await gatehouse.files.purposes();
  if (first && findFault({ name: 'a', type: '', size: 0 }, first)?.code === 'FILE_EMPTY') return null;
  return gatehouse.me().then(({ email }) => email, (error: unknown) => {
    if (error instanceof GatehouseError && error.code === 'NETWORK') return null;
    throw error;
  });
}
`;
