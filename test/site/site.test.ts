// The site of the documentation: every document is a page of it, and every link of a page leads somewhere.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { allLines } from '../../scripts/api-types.ts';
import type { SearchEntry } from '../../site/site-content.ts';
import { loadDocs, loadPages } from '../../src/app/load-pages.ts';
import { registerDocsRoutes } from '../../src/http/pages/docs-routes.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import { serveRoutes } from '../helpers/serve-routes.ts';

const { docs: files } = await loadPages();
const site = await serveRoutes((routes) =>
  registerDocsRoutes(routes, {
    table: allLines(),
    plainLines,
    brand: { name: 'Gatehouse', icon: 'data:,', style: undefined },
    files,
    loadContent: loadDocs,
  }),
);
after(site.close);
const urls = site.routes.map(({ path }) => path);
const bodies = new Map(await Promise.all(urls.map(async (url) => [url, (await site.ask(url)).text] as const)));
const pages = [...bodies].filter(([, body]) => body.startsWith('<!doctype html>'));

/** Addresses of the service beside its documentation. */
const elsewhere = ['/', '/openapi.json', '/api/inbox'];

describe('the site of the documentation', () => {
  it('every document has a page, with its title', () => {
    const documents = readdirSync(new URL('../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'));
    assert.ok(documents.length > 20);
    for (const name of documents) {
      const url = name === 'README.md' ? '/docs' : `/docs/${name.slice(0, -'.md'.length)}`;
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

  it('the description of the endpoints is made when a reader asks for it, not when the service starts', async () => {
    let reads = 0;
    const table = allLines().map(({ route, ...line }) => ({
      ...line,
      get route() {
        reads += 1;
        return route;
      },
    }));
    const brand = { name: 'Gatehouse', icon: 'data:,', style: undefined };
    const lazy = await serveRoutes((routes) =>
      registerDocsRoutes(routes, { table, plainLines, brand, files, loadContent: loadDocs }),
    );
    assert.deepEqual(
      lazy.routes.map(({ path }) => path),
      urls,
    );
    assert.equal(reads, 0);
    assert.equal((await lazy.ask('/docs/api/file')).text, bodies.get('/docs/api/file'));
    assert.ok(reads > 0);
    await lazy.close();
  });

  it('a document that could not be read once is there when the next reader asks', async () => {
    let reads = 0;
    const flaky = await serveRoutes((routes) =>
      registerDocsRoutes(routes, {
        table: [],
        plainLines: [],
        brand: { name: 'Gatehouse', icon: 'data:,', style: undefined },
        files,
        loadContent: () => {
          reads += 1;
          return reads === 1 ? Promise.reject(new Error('EMFILE: too many open files')) : loadDocs();
        },
      }),
    );
    assert.equal((await flaky.ask('/docs/security')).status, 500);
    assert.match((await flaky.ask('/docs/security')).text, /<h1 id=/);
    assert.equal((await flaky.ask('/docs/search.json')).status, 200);
    assert.equal(reads, 2);
    await flaky.close();
  });
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}
