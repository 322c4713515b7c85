// The site of the documentation: every document is a page of it, and every link of a page leads somewhere.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { allLines } from '../../scripts/site/all-lines.ts';
import { renderGuides } from '../../scripts/site/guides/render-guides.ts';
import type { SearchEntry } from '../../scripts/site/site-content.ts';
import { renderSite } from '../../scripts/site/site-pages.ts';
import { fillBrand } from '../../src/http/pages/docs-brand.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import { loadDocs } from '../../src/service/load-pages.ts';
import { serveSite } from '../helpers/services/serve-site.ts';

const root = new URL('../../', import.meta.url).pathname;
const gatehouse = { name: 'Gatehouse', icon: 'data:,', style: undefined };
const docs = await loadDocs();
const site = await serveSite(docs);
after(site.close);
const urls = site.routes.map(({ path }) => path);
const bodies = new Map(await Promise.all(urls.map(async (url) => [url, (await site.ask(url)).text] as const)));
const pages = [...bodies].filter(([, body]) => body.startsWith('<!doctype html>'));

/** Addresses of the service beside its documentation. */
const elsewhere = ['/', '/openapi.json', '/api/inbox'];

describe('the site of the documentation', () => {
  it('every document has a page, with its title', () => {
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    const documents = files.filter((name) => name.endsWith('.md'));
    assert.ok(documents.length > 20);
    for (const name of documents) {
      const url = join('/docs', name.replace(/(?:(?:^|\/)README)?\.md$/, ''));
      assert.match(bodies.get(url) ?? '', /<h1 id=/, url);
    }
  });

  it('every link and picture of every page leads to a page of the site, and every anchor to a place on it', () => {
    const ids = new Map(pages.map(([url, body]) => [url, new Set(matches(body, /\sid="([^"]+)"/g))]));
    const broken = pages.flatMap(([url, body]) =>
      matches(body, /\s(?:href|src)="([^"]+)"/g)
        .filter((link) => !/^(https?:|mailto:|data:)/.test(link))
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? url : path;
          if (elsewhere.includes(target)) return false;
          return !bodies.has(target) || (anchor !== undefined && ids.get(target)?.has(anchor) === false);
        })
        .map((link) => `${url}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('every page lists all others, and marks itself', () => {
    for (const [url, body] of pages) {
      const links = matches(body, /<a href="([^"#]+)"/g);
      for (const other of ['/docs/api', '/docs/api/file', '/docs/apps', '/docs/errors'])
        assert.ok(links.includes(other), `${url} has no link to ${other}`);
      if (url !== '/docs') assert.ok(body.includes(`<a href="${url}" aria-current="page">`), url);
    }
  });

  it('the search finds endpoints, errors, schemas and sections, each at an address that exists', () => {
    const entries = JSON.parse(bodies.get('/docs/search.json') ?? '[]') as SearchEntry[];
    const known = new Set(entries.map(({ url }) => url));
    for (const url of [
      '/docs/api/auth#signInWithPhone',
      '/docs/errors#OTP_INVALID',
      '/docs/api/schemas#FileRecord',
      '/docs/identity#recent-sign-in',
    ])
      assert.ok(known.has(url), url);
    const ids = new Map(pages.map(([url, body]) => [url, new Set(matches(body, /\sid="([^"]+)"/g))]));
    for (const { url } of entries) {
      const [path = '', anchor] = url.split('#');
      assert.ok(anchor === undefined ? bodies.has(path) : ids.get(path)?.has(anchor), url);
    }
  });

  it('a page, the script and the index of the search are small on the wire', async () => {
    const sizeOf = async (url: string) => (await site.ask(url, { 'accept-encoding': 'gzip' })).body.length;
    for (const [url] of pages) assert.ok((await sizeOf(url)) < 64 * 1024, `${url}: ${await sizeOf(url)} bytes`);
    assert.ok((await sizeOf('/docs/docs.js')) < 16 * 1024);
    assert.ok((await sizeOf('/docs/docs.css')) < 8 * 1024);
    assert.ok((await sizeOf('/docs/search.json')) < 160 * 1024);
  });

  it('a file is read when a reader asks for it and once, not when the service starts', async () => {
    const reads: string[] = [];
    const lazy = await serveSite({
      ...docs,
      read: (name) => {
        reads.push(name);
        return docs.read(name);
      },
    });
    assert.deepEqual(
      lazy.routes.map(({ path }) => path),
      urls,
    );
    assert.deepEqual(reads, []);
    for (const _ of [1, 2]) assert.equal((await lazy.ask('/docs/api/file')).text, bodies.get('/docs/api/file'));
    assert.deepEqual(reads, ['api/file.scanner.html']);
    await lazy.close();
  });

  it('a file that could not be read once is there when the next reader asks', async (context) => {
    let reads = 0;
    const flaky = await serveSite({
      ...docs,
      read: (name) => {
        reads += 1;
        return reads === 1 ? Promise.reject(new Error('EMFILE: too many open files')) : docs.read(name);
      },
    });
    context.after(flaky.close);
    const { status, headers } = await flaky.ask('/docs/security');
    assert.deepEqual([status, headers['retry-after']], [503, '1']);
    assert.match((await flaky.ask('/docs/security')).text, /<h1 id=/);
    assert.equal((await flaky.ask('/docs/search.json')).status, 200);
    assert.equal(reads, 3);
    // The line of the request says why. It is no fault of the program, with a stack, as often as anybody asks.
    assert.match(JSON.stringify(flaky.lines), /"cause":"EMFILE/);
    assert.doesNotMatch(JSON.stringify(flaky.lines), /"fault"/);
  });

  it('every page is that of the features which the service has, for each combination of them', async () => {
    const guides = renderGuides(root);
    const varied = new Set(docs.files.filter(({ feature }) => feature !== undefined).map(({ url }) => url));
    assert.deepEqual(
      varied,
      new Set(['/docs/api', '/docs/api/file', '/docs/api/back-end', '/docs/errors', '/docs/search.json']),
    );
    for (const inbox of [true, false])
      for (const scanner of [true, false]) {
        const features = [...(inbox ? (['inbox'] as const) : []), ...(scanner ? (['scanner'] as const) : [])];
        const own = await serveSite({ ...docs, has: { inbox, scanner } });
        for (const [url, text] of renderSite({ table: allLines(features), plainLines, guides })) {
          const { name } = docs.files.find((file) => file.url === url) ?? assert.fail(url);
          const shown = varied.has(url) ? (await own.ask(url)).text : fillBrand(`${await docs.read(name)}`, gatehouse);
          assert.equal(shown, fillBrand(text, gatehouse), `${url} with ${features.join(', ')}`);
        }
        await own.close();
      }
  });

  it('the brand of the operator is on every page, and no place for it is left', async () => {
    const style = '/brand.css?v=1';
    const branded = await serveSite({ ...docs, brand: { name: "Bob's $& Bar", icon: 'data:image/x,"', style } });
    for (const [url] of pages) {
      const { text } = await branded.ask(url);
      assert.ok(text.includes('<a class="brand" href="/docs">Bob&#39;s $&amp; Bar <span>'), url);
      assert.ok(text.includes('<link rel="icon" href="data:image/x,&quot;">'), url);
      assert.ok(text.includes(`<link rel="stylesheet" href="${style}">\n<script`), url);
      assert.ok(!text.includes('<!--'), url);
    }
    await branded.close();
  });

  it('an address beside those of the site is not found, however it is written, and reads no file', async () => {
    const reads: string[] = [];
    const strict = await serveSite({ ...docs, read: async (name) => Buffer.from(`${reads.push(name)}`) });
    const dots = [
      '/docs/../docs.json',
      '/docs/%2e%2e/pages.json',
      '/docs/..%2fpages.json',
      '/docs/%2e%2e%2fpages.json',
    ];
    const names = ['/docs/files.json', '/docs/index.html', '/docs/api/file.scanner.html', '/docs/security.html'];
    const spelled = ['/docs/', '/docs/security/', '/Docs', '/docs/SECURITY', '/docs//security', '/docs/api%2ffile'];
    const broken = ['/docs/a%00b', '/docs/security%00', '/docs/%', '/docs/..\\pages.json', '/docs/pictures/'];
    for (const path of [...dots, ...names, ...spelled, ...broken])
      assert.ok([400, 404].includes((await strict.ask(path)).status), path);
    assert.deepEqual(reads, []);
    await strict.close();
  });

  it('HEAD has the headers of GET without a body, and a range is not cut', async () => {
    for (const url of ['/docs', '/docs/security', '/docs/search.json', '/docs/pictures/first-3-code.png']) {
      const { status, headers, body } = await site.ask(url, { range: 'bytes=0-9' });
      const head = await site.ask(url, {}, 'HEAD');
      assert.deepEqual([status, head.status], [200, 200], url);
      assert.equal(head.body.length, 0);
      assert.equal(Number(headers['content-length']), body.length);
      for (const name of ['etag', 'content-type', 'content-length', 'content-security-policy', 'vary'])
        assert.equal(head.headers[name], headers[name], `${url}: ${name}`);
    }
  });
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}
