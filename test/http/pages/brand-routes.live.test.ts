// The brand over HTTP: colours and logos at their addresses, pages that show only it, a preview in local mode, exit code 78.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get as ask, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { longSecret } from '../../helpers/config/setting-cases.ts';
import { newestMessage, newPhone, sendOtp } from '../../helpers/requests/api.ts';
import { createBrandFolder, darkLogo, lightLogo, northwind } from '../../helpers/services/brand-folder.ts';
import { type Gatehouse, isolatedEnv, spawnMain, startGatehouse } from '../../helpers/services/gatehouse.ts';

const folder = createBrandFolder();
after(() => folder.remove());

/** Starts a service with the settings for the tests of a group. */
function setService(settings: Readonly<Record<string, string>>): {
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  url: () => string;
} {
  let service: Gatehouse | undefined;
  let dispose: (() => Promise<void>) | undefined;
  before(async () => {
    const isolated = await isolatedEnv('sqlite', settings);
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env);
  });
  after(async () => {
    await service?.stop();
    await dispose?.();
  });
  const url = () => service?.url ?? assert.fail('not started');
  return { url, get: (path, headers = {}) => fetch(`${url()}${path}`, { headers }) };
}

const production = {
  BRAND_FILE: folder.file,
  PUBLIC_URL: 'https://login.northwind.example',
  SECRET: longSecret,
  SMS_URL: 'inbox:',
  MAIL_URL: 'inbox:',
  ALLOW_INSECURE: '1',
};

describe('a service with a brand, in production', () => {
  const { get } = setService(production);

  it('the head of a page names the brand, and its style and icon have the accent', async () => {
    const page = await (await get('/')).text();
    assert.match(page, /<title>[^<]* · Northwind<\/title>/);
    assert.match(page, /<link rel="icon" href="data:image\/svg\+xml,[^"]*%230f766e/);
    const [, style = ''] = /<link rel="stylesheet" href="(\/brand\.css\?v=[\w-]{22})">/.exec(page) ?? [];
    const css = await get(style);
    assert.equal(css.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.equal(css.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(
      await css.text(),
      ':root{--accent:#0f766e;--accent-strong:#0c5e58;--on-accent:#ffffff;--tint:#ecf4f3}\n' +
        '@media (prefers-color-scheme:dark){:root{--accent:#79d0c6;--accent-strong:#94d9d1;--on-accent:#0b0c0f;--tint:#202c30}}\n',
    );
  });

  it('a page shows the brand of the operator only, and links to no API reference', async () => {
    for (const path of ['/', '/account', '/login/link', '/not-me']) {
      const page = await (await get(path)).text();
      const facts = JSON.parse(
        (/<meta id="facts" content="([^"]*)">/.exec(page)?.[1] ?? '')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&'),
      );
      assert.equal(facts.isLocal, false);
      assert.deepEqual([facts.brand.name, facts.brand.initial], ['Northwind', 'N']);
      assert.deepEqual(facts.brand.links, {
        terms: 'https://northwind.example/terms',
        privacy: null,
        support: 'mailto:help@northwind.example',
      });
      assert.ok(!page.includes('Gatehouse'), `${path} names Gatehouse`);
    }
  });

  it('a logo has its type, a policy that runs nothing, and is kept for ever under the address with its hash', async () => {
    for (const [side, content] of [
      ['light', lightLogo],
      ['dark', darkLogo],
    ]) {
      const plain = await get(`/brand/logo-${side}`);
      assert.equal(await plain.text(), content);
      assert.equal(plain.headers.get('cache-control'), 'no-cache');
      const etag = plain.headers.get('etag') ?? '';
      const hashed = await get(`/brand/logo-${side}?v=${etag.replaceAll('"', '')}`);
      const headers = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'];
      assert.deepEqual(
        headers.map((name) => hashed.headers.get(name)),
        [
          'image/svg+xml',
          'nosniff',
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'public, max-age=31536000, immutable',
        ],
      );
      const again = await get(`/brand/logo-${side}`, { 'if-none-match': etag });
      assert.deepEqual([again.status, await again.text()], [304, '']);
      const other = await get(`/brand/logo-${side}?v=another`);
      assert.equal(other.headers.get('cache-control'), 'no-cache', 'an older address does not keep a newer logo');
    }
  });

  it('there is no preview', async () => {
    for (const path of ['/brand', '/brand/mail/loginLink']) assert.equal((await get(path)).status, 404, path);
  });
});

describe('a service without a brand', () => {
  const { get } = setService({});

  it('has neither colours nor logos of its own, and its usual icon', async () => {
    for (const path of ['/brand.css', '/brand/logo-light', '/brand/logo-dark'])
      assert.equal((await get(path)).status, 404);
    const page = await (await get('/')).text();
    assert.ok(page.includes('· Gatehouse</title>') && !page.includes('brand.css') && page.includes('%233346c8'));
  });

  it('shows the usual look in the preview', async () => {
    const page = await get('/brand');
    assert.equal(page.status, 200);
    assert.match(await page.text(), /&quot;file&quot;:null/);
  });
});

describe('a service with a brand, in local mode', () => {
  const own = createBrandFolder();
  after(() => own.remove());
  const { get, url } = setService({ BRAND_FILE: own.file });

  it('an SMS has the text of the operator and ends with the line that browsers look for', async () => {
    const phone = newPhone();
    await sendOtp(url(), phone);
    const { text } = await newestMessage(url(), phone);
    assert.match(text, /^\d{6} is your Northwind code\. It works for \d+ minutes\.\n\n@localhost #\d{6}$/);
  });

  it('a mail of the preview has the name in the accent, and runs nothing', async () => {
    const mail = await get('/brand/mail/loginLink?language=de');
    const html = await mail.text();
    assert.match(html, /<html[^>]* lang="de"/);
    assert.ok(html.includes('color:#0f766e">Northwind</p>') && html.includes('background:#0f766e;color:#ffffff'));
    assert.ok(html.includes('<a href="mailto:help@northwind.example"'));
    assert.equal(
      mail.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
    );
    assert.equal((await get('/brand/mail/unknown')).status, 404);
  });

  it('the preview is for this machine: a page of another host does not get it', async () => {
    const { hostname, port } = new URL(url());
    const request = ask({ hostname, port, path: '/brand', headers: { host: 'evil.example' } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 400);
  });

  it('the preview reads the file again, and shows its problems instead of ending the service', async () => {
    own.write({ ...northwind, accent: '#ffcc00' });
    assert.match(await (await get('/brand')).text(), /accent\.light is hard to read[^<]*#886c00/);
    own.write({ ...northwind, name: 'Southwind' });
    assert.match(await (await get('/brand')).text(), /Southwind/);
    own.write('{');
    assert.match(await (await get('/brand')).text(), /the file is not JSON/);
    assert.equal((await get('/livez')).status, 200);
  });
});

describe('a service whose brand has problems', () => {
  it('prints all of them with their cures and ends with exit code 78', async () => {
    const wrong = createBrandFolder({ nam: 'x', accent: '#ffcc00', links: { terms: 'http://a.example' } });
    try {
      const started = spawnMain([], { BRAND_FILE: wrong.file, DATA_DIR: '/nowhere' });
      assert.equal(await started.ended, 78);
      const { stderr } = started.output();
      assert.match(stderr, /4 settings need attention/);
      for (const text of [
        'nam is not a known field',
        'name is missing',
        'write "#886c00"',
        'links.terms is not an https',
      ])
        assert.ok(stderr.includes(text), stderr);
    } finally {
      wrong.remove();
    }
  });
});
