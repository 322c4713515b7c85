// The React package as an app gets it: packed, built with Vite from the samples of the document, in a real browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { findViolationsInShadow } from '../helpers/browser/axe.ts';
import { watch } from '../helpers/browser/browser.ts';
import { signIn } from '../helpers/browser/element-steps.ts';
import { openPageStage } from '../helpers/browser/page-stage.ts';
import { openHostPage, policyFor, sampleOf } from '../helpers/client/host-page.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const installed = (name: string) => join(root, 'node_modules', name);
const index = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="/icon.svg"></head>
  <body><main id="root"></main><script type="module" src="/src/main.tsx"></script></body></html>`;

describe('the React package', () => {
  let project: string;
  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'gatehouse-react-'));
    const env = { ...process.env, npm_config_ignore_scripts: 'false' };
    for (const name of ['client', 'react'])
      await run('npm', ['pack', '--pack-destination', project], { cwd: join(root, name), env });
    writeFileSync(join(project, 'package.json'), '{"name":"app","private":true,"type":"module"}');
    const packages = ['client', 'react'].map((name) => `./gatehouse-${name}-0.0.2.tgz`);
    await run('npm', ['install', '--offline', '--legacy-peer-deps', ...packages], { cwd: project });
    mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
    for (const name of ['vite', '@types/react', '@types/react-dom', 'csstype'])
      symlinkSync(installed(name), join(project, 'node_modules', name));
    mkdirSync(join(project, 'src'));
    writeFileSync(join(project, 'index.html'), index);
    writeFileSync(join(project, 'vite.config.ts'), sampleOf('ts', '// vite.config.ts'));
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  /** Copies, because a package finds the React beside it. */
  function installReact(version: 18 | 19): void {
    const suffix = version === 18 ? '-18' : '';
    for (const name of ['react', 'react-dom']) {
      rmSync(join(project, 'node_modules', name), { recursive: true, force: true });
      cpSync(installed(`${name}${suffix}`), join(project, 'node_modules', name), { recursive: true });
    }
    rmSync(join(project, 'node_modules/scheduler'), { recursive: true, force: true });
    if (version === 19) cpSync(installed('scheduler'), join(project, 'node_modules/scheduler'), { recursive: true });
  }

  /** The files of the build, by path. */
  async function buildApp(service: string): Promise<Record<string, string>> {
    const sample = sampleOf('tsx', '// src/main.tsx').replaceAll('https://id.example.com', service);
    writeFileSync(join(project, 'src/main.tsx'), sample);
    await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: project,
    });
    const dist = join(project, 'dist');
    const files = globSync(`${dist}/**/*.*`).map((file) => [`/${relative(dist, file)}`, readFileSync(file, 'utf8')]);
    return { ...Object.fromEntries(files), '/icon.svg': '' };
  }

  it('an app of the document signs in, uploads, cancels and signs out, with React 19 and with React 18', async (t) => {
    const host = await openHostPage();
    t.after(() => host.close());
    const stage = await openPageStage({ CORS_ORIGINS: host.origin, CAPTCHA_URL: 'altcha:' });
    if (stage === undefined) return t.skip('no Chromium');
    t.after(() => stage.close());
    for (const version of [19, 18] as const) {
      installReact(version);
      const policy = policyFor(stage.url, "'self'").replace('base-uri', "img-src 'self'; base-uri");
      host.serve(await buildApp(stage.url), policy);
      const { page, context } = await stage.visit({ viewport: { width: 500, height: 700 } });
      const { problems } = watch(page, host.origin, stage.url);
      const other = await context.newPage();
      for (const tab of [page, other]) await tab.goto(host.origin);
      await page.getByLabel('Phone number').waitFor();
      assert.deepEqual(await findViolationsInShadow(page), []);
      const phone = await signIn(page, stage.url);
      await page.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
      // The other tab is told.
      await other.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
      const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
      await page.getByLabel('Add a file').setInputFiles(file);
      await page.getByText('a.txt is stored.').waitFor();
      await cancelUpload(page);
      await page.reload();
      await page.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
      await openWithoutConnection(page, phone);
      await page.getByRole('button', { name: 'Sign out' }).click();
      for (const tab of [page, other]) await tab.getByLabel('Phone number').waitFor();
      const cancelled = problems.filter((problem) => !problem.includes('ERR_FAILED'));
      assert.deepEqual(cancelled, []);
      await context.close();
    }
  });

  it('a server renders the components without a browser', async () => {
    installReact(19);
    writeFileSync(join(project, 'server.mjs'), server);
    const { stdout } = await run(process.execPath, ['server.mjs'], { cwd: project });
    assert.equal(
      stdout.trim(),
      '<p>loading</p><gatehouse-sign-in methods="phone" lang="de" class="form"><b slot="title">Shop</b></gatehouse-sign-in>',
    );
  });

  it('the React package has types that check in an app', async () => {
    writeFileSync(join(project, 'src/typed.tsx'), typed);
    const how = ['--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler', '--jsx', 'react-jsx'];
    const files = ['src/main.tsx', 'src/typed.tsx'];
    const args = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'react', ...how, ...files];
    await run(join(root, 'node_modules/.bin/tsc'), args, { cwd: project }).catch(({ stdout }) => assert.fail(stdout));
  });

  it('the React package has at most 3 KB, minified and compressed, besides React and the client', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(root, 'react/src/gatehouse-react.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      jsx: 'automatic',
      external: ['react', 'react/jsx-runtime', '@gatehouse/client', '@gatehouse/client/element'],
      write: false,
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    assert.ok(size <= 3072, `${size} bytes`);
  });
});

/** Holds the request back, so that there is time to cancel. */
async function cancelUpload(page: Page): Promise<void> {
  await page.route('**/api/file/upload**', () => undefined);
  const file = { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('never sent') };
  await page.getByLabel('Add a file').setInputFiles(file);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('status').textContent(), '');
  await page.unroute('**/api/file/upload**');
}

/** The page says why it shows no user, and finds the user when it tries again. */
async function openWithoutConnection(page: Page, phone: string): Promise<void> {
  await page.route('**/api/auth/me', (route) => route.abort());
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
  await page.unroute('**/api/auth/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
}

const server = `
import { GatehouseProvider, Protected, SignIn, useGatehouse } from '@gatehouse/react';
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';

const Status = () => h('p', null, useGatehouse().status);
const title = h('b', { slot: 'title' }, 'Shop');
const form = h(SignIn, { methods: ['phone'], lang: 'de', className: 'form' }, title);
const secret = h(Protected, { fallback: 'no' }, 'secret');
console.log(renderToString(h(GatehouseProvider, null, h(Status), form, secret)));
`;

const typed = `
import { GatehouseProvider, Protected, SignIn, useGatehouse, useUpload, type UploadStatus, type User } from '@gatehouse/react';

export function App() {
  const { status, client } = useGatehouse();
  const { status: upload, pause, resume } = useUpload('image');
  status satisfies 'loading' | 'signed-in' | 'signed-out' | 'failed';
  upload satisfies UploadStatus;
  // @ts-expect-error: only these two
  const wrong = <SignIn methods={['fax']} />;
  return (
    <GatehouseProvider client={client}>
      <Protected fallback={wrong} loading="…" failed={(error, retry) => <button onClick={retry}>{error?.code}</button>}>
        {(user: User) => <button onClick={() => (user.email === null ? pause() : resume())}>{user.id}</button>}
      </Protected>
      <SignIn style={{ '--gatehouse-accent': 'teal', margin: 0 }} onError={({ code, step }) => console.log(code, step)} />
    </GatehouseProvider>
  );
}
`;
