// No stored file runs script in a real browser: opened, or embedded in pages of the same origin, the same site and another site.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { mediaTypes } from '#media/media-type';
import { phonePicture } from '../../../media/test/helpers/heic-builder.ts';
import { fixtures } from '../../../media/test/helpers/media-files.ts';
import { makePictures } from '../../../media/test/helpers/valid-images.ts';
import { openBrowser } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/browser/page-stage.ts';
import { openBlank, openSignedIn } from '../../helpers/browser/signed-in-page.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { ranMark, scriptedFiles } from './scripted-files.ts';

const browser = await openBrowser();
const types = Object.keys(mediaTypes);
const pdf = 'application/pdf';

/** Every way in which a page embeds another URL. The load event waits for all of them. */
const embeddings: readonly ((address: string) => string)[] = [
  (address) => `<script src="${address}"></script>`,
  (address) => `<script type="module" src="${address}"></script>`,
  (address) => `<link rel="stylesheet" href="${address}">`,
  (address) => `<iframe src="${address}"></iframe>`,
  (address) => `<object data="${address}"></object>`,
  (address) => `<embed src="${address}">`,
  (address) => `<img src="${address}">`,
  (address) => `<video src="${address}"></video>`,
];

describe('a stored file in a browser', { skip: browser === undefined }, () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let context: BrowserContext;
  let page: Page;
  let token: string;
  /** The service under a host name, because IP addresses have no site; a page of the same site, and one of another site. */
  let home: string;
  let sibling: string;
  let stranger: string;
  const stored = new Map<string, string>();
  let ran: string[] = [];
  const pages = new Map<string, { type: string; body: string | Buffer }>(
    scriptedFiles.flatMap(({ name, carelessType, bytes }) => [
      [`/${name}`, { type: carelessType, body: bytes }],
      [`/page-of/${name}`, { type: 'text/html', body: `<script src="/${name}"></script>` }],
    ]),
  );
  const host = createServer((request, response) => {
    const found = pages.get(request.url ?? '');
    response
      .writeHead(found === undefined ? 404 : 200, { 'content-type': found?.type ?? 'text/plain' })
      .end(found?.body);
  });

  before(async () => {
    // The most permissive purposes: all inline, so that only the headers of the answer protect. Only a PDF is an attachment, as in
    // the built-in purposes: viewers run its actions in their own sandbox, which no header affects.
    const isolated = await isolatedEnv('sqlite', { LIMIT_UPLOADS_PER_USER: 'off' });
    const purposes = join(isolated.env.DATA_DIR ?? '', 'purposes.json');
    const common = { maxBytes: 1e8, readableBy: 'owner' };
    const shown = types.filter((type) => type !== pdf);
    const purposeList = [
      { ...common, name: 'show', types: shown, served: 'inline' },
      { ...common, name: 'save', types: [pdf], served: 'attachment' },
    ];
    writeFileSync(purposes, JSON.stringify(purposeList));
    dispose = isolated.dispose;
    service = await startGatehouse({ ...isolated.env, PURPOSES_FILE: purposes });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    home = `http://id.site.localhost:${new URL(service.url).port}`;
    sibling = `http://www.site.localhost:${port}`;
    stranger = `http://elsewhere.localhost:${port}`;
    context = await newContext();
    const signedIn = await openSignedIn(context, service.url, home);
    page = signedIn.page;
    token = signedIn.pair.JWT;
    // No program writes HEIF in another codec than HEVC or AV1, so this one is built.
    const heif = { name: 'built.heif', type: 'image/heif' as const, bytes: phonePicture({ brands: ['mif1', 'miaf'] }) };
    const honest = [...(await makePictures()), ...fixtures(), heif];
    const oneOfEach = types.map(
      (type) => honest.find((file) => file.type === type) ?? assert.fail(`no file of ${type}`),
    );
    for (const file of [...scriptedFiles, ...oneOfEach]) {
      const purpose = file.type === pdf ? 'save' : 'show';
      stored.set(file.name, (await storeFile(service.url, { ...file, token, purpose })).id);
    }
    pages.set('/all', { type: 'text/html', body: `<!doctype html>${embedAll()}` });
  });
  after(async () => {
    await browser?.close();
    host.close();
    host.closeAllConnections();
    await service.stop();
    await dispose();
  });

  async function newContext(headers: Record<string, string> = {}): Promise<BrowserContext> {
    const made = await browser?.newContext({ extraHTTPHeaders: headers });
    if (made === undefined) assert.fail();
    made.setDefaultTimeout(60_000);
    made.on('console', (message) => {
      if (message.text().startsWith(ranMark)) ran.push(message.text());
    });
    made.on('dialog', (dialog) => {
      ran.push(dialog.message());
      dialog.dismiss().catch(() => undefined);
    });
    return made;
  }

  /** Playwright reports an error when the browser saves a file instead of opening it. */
  async function open(on: Page, address: string): Promise<void> {
    await on.goto(address).catch((error: unknown) => assert.match(String(error), /Download is starting|ERR_ABORTED/));
  }

  const embedAll = () =>
    scriptedFiles
      .flatMap(({ name }) => embeddings.map((embed) => embed(`${home}/file/${stored.get(name)}`)))
      .join('\n');

  it('the test files run their script when a careless host serves them', async () => {
    const pagesAndPrograms = scriptedFiles.filter(({ carelessType }) => carelessType !== pdf);
    for (const { name, carelessType } of pagesAndPrograms) {
      await open(page, `${stranger}${carelessType === 'text/javascript' ? '/page-of' : ''}/${name}`);
    }
    await eventually(async () => ran.length >= pagesAndPrograms.length);
    const seen = ran;
    ran = [];
    assert.deepEqual(
      seen,
      pagesAndPrograms.map(({ name }) => `${ranMark} ${name}`),
    );
  });

  it('a stored file is served with its own type, nosniff and a sandbox', async () => {
    for (const id of stored.values()) {
      const { headers } = await fetch(`${service.url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
      assert.ok(types.includes(headers.get('content-type')?.split(';')[0] ?? ''));
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none';.*; sandbox( allow-same-origin)?$/,
      );
      assert.equal(headers.get('x-frame-options'), 'DENY');
    }
  });

  it('a stored file runs nothing when it is opened, whatever its type', async () => {
    for (const id of stored.values()) await open(page, `${home}/file/${id}`);
    assert.deepEqual(ran, []);
  });

  it('a stored PDF runs no action in a browser that runs it for a careless host', async (test) => {
    await open(page, `${home}/file/${stored.get('action.pdf')}`);
    const other = await context.newPage();
    const shown = other.waitForEvent('dialog').catch(() => undefined);
    const outcome = await other.goto(`${stranger}/action.pdf`).catch(() => undefined);
    if (outcome === undefined) return test.skip('this Chromium saves every PDF');
    assert.ok(await shown);
    assert.deepEqual(ran, [`${ranMark} action.pdf`], 'only the one of the careless host, although it was opened later');
    ran = [];
    await other.close();
  });

  it('a stored file runs nothing in a page of the same origin, by any element', async () => {
    await openBlank(page, home, embedAll());
    assert.deepEqual(ran, []);
  });

  it('a stored file runs nothing as a worker, a service worker or a module of the same origin', async () => {
    await openBlank(page, home);
    const addresses = JSON.stringify([...stored.values()].map((id) => `/file/${id}`));
    const outcomes = await page.evaluate<string[]>(`Promise.all(${addresses}.flatMap((address) => {
      const worker = (options) => new Promise((resolve) => {
        new Worker(address, options).onerror = () => resolve('refused');
        setTimeout(() => resolve('ran'), 120_000);
      });
      return [
        worker({}),
        worker({ type: 'module' }),
        navigator.serviceWorker.register(address).then(() => 'ran', () => 'refused'),
        import(address).then(() => 'ran', () => 'refused'),
      ];
    }))`);
    assert.deepEqual(new Set(outcomes), new Set(['refused']));
    assert.deepEqual(ran, []);
  });

  it('a stored file runs nothing in a page of the same site, which the cookie reaches', async () => {
    await page.goto(`${sibling}/all`);
    assert.deepEqual(ran, []);
    assert.notDeepEqual(await imagesShown(page), []);
  });

  it('a stored file does not load in a page of another site, because the cookie is not sent', async () => {
    await page.goto(`${stranger}/all`);
    assert.deepEqual(ran, []);
    assert.deepEqual(await imagesShown(page), []);
  });

  it('a stored file does not load in a page of another site even if the browser sends a token', async () => {
    const proving = await newContext({ authorization: `Bearer ${token}` });
    const other = await proving.newPage();
    await other.goto(`${stranger}/all`);
    assert.deepEqual(ran, []);
    assert.deepEqual(await imagesShown(other), []);
    await proving.close();
  });

  function imagesShown(on: Page): Promise<string[]> {
    return on.evaluate(`[...document.images].filter((image) => image.naturalWidth > 0).map((image) => image.src)`);
  }
});
