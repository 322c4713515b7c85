// A browser that opens an address gets a page about a problem; everyone else gets the envelope, byte for byte the same message.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { type OpenedStore, openStore } from '../../../src/store/open-store.ts';
import { appSettings, authorizeQuery, backend, openBrowser, signInTo } from '../../helpers/people/oauth.ts';
import { createServiceKey } from '../../helpers/people/service-keys.ts';
import { newPhone, readEnvelope, signIn } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { createTestClock, type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';

const page = { 'sec-fetch-dest': 'document', accept: 'text/html' };

describe('problems in a browser', () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let fault: Error | undefined;
  const broken = (store: OpenedStore): OpenedStore => ({
    ...store,
    call: (name, input) => (fault === undefined ? store.call(name, input) : Promise.reject(fault)),
  });
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.url}${path}`, { method, headers, redirect: 'manual' });

  before(async () => {
    const isolated = await isolatedEnv(
      'sqlite',
      { ...appSettings(), BRAND_NAME: 'Acme & Sons', LIMIT_REQUESTS_PER_IP: '200/1m' },
      'migrated',
    );
    dispose = isolated.dispose;
    const result = readConfig(isolated.env);
    if ('problems' in result) assert.fail(JSON.stringify(result.problems));
    const clock = createTestClock();
    service = await startGatehouse(isolated.env, clock, { store: openStore(result.config).then(broken) });
    // Without a key the calls of back ends do not exist.
    await createServiceKey({ ...service, clock });
  });
  after(async () => {
    fault = undefined;
    await service.stop();
    await dispose();
  });

  /** The page and the envelope of the same problem. */
  async function compare(path: string, headers: Record<string, string> = {}) {
    const [shown, reply] = [await ask(path, { ...headers, ...page }), await ask(path, headers)];
    const [html, json] = [await shown.text(), await reply.text()];
    assert.equal(shown.status, reply.status, path);
    assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8', path);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8', path);
    for (const { headers: sent } of [shown, reply]) {
      assert.match(sent.get('vary') ?? '', /Sec-Fetch-Dest/, path);
      assert.equal(sent.get('cache-control'), 'no-store', path);
      assert.equal(sent.get('retry-after'), reply.headers.get('retry-after'), path);
    }
    assert.ok(html.includes('Acme &amp; Sons'), path);
    assert.doesNotMatch(html, /<script/i);
    return { status: shown.status, html, json };
  }

  for (const [path, status, title] of [
    ['/account/nonsense', 404, 'Not found'],
    ['/%3Cscript%3E', 404, 'Not found'],
    ['/admin', 404, 'Not found'],
    ['/%61ccount', 404, 'Not found'],
    ['/%ZZ', 400, 'This address cannot be opened'],
    ['/api/auth/logout', 405, 'This address cannot be opened'],
    ['/oauth/nonsense', 404, 'Not found'],
    ['/api/auth/me', 401, 'Sign in to go on'],
    ['/api/service/users', 403, 'No access'],
    ['/oauth/userinfo', 401, 'Sign in to go on'],
  ] as const) {
    it(`a browser that opens ${path} gets a page with ${status} and the message of the envelope`, async () => {
      const { status: found, html, json } = await compare(path);
      assert.equal(found, status);
      const { message, error_description: described } = JSON.parse(json) as Record<string, string>;
      assert.ok(html.includes(`<h1>${title}</h1>`));
      if (message !== undefined) assert.ok(html.includes(`>${message}</p>`), html.slice(-900));
      else assert.ok(typeof described === 'string' && /<p class="message"[^>]*>[^<]+<\/p>/.test(html));
    });
  }

  it('the page is in the language of the browser and has the length that HEAD announces', async () => {
    const german = { ...page, 'accept-language': 'de-AT' };
    const [got, head] = [await ask('/nowhere', german), await ask('/nowhere', german, 'HEAD')];
    const html = await got.text();
    assert.match(html, /<html lang="de".*Unter dieser URL gibt es nichts\./s);
    assert.deepEqual([head.status, await head.text()], [404, '']);
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(html)));
    assert.equal(head.headers.get('content-type'), got.headers.get('content-type'));
    assert.ok(html.length < 12_000, `${html.length} characters`);
  });

  it('the page about an unknown file and the page about a file of somebody else are the same', async () => {
    const [owner, other] = [await signIn(service.url, newPhone()), await signIn(service.url, newPhone())];
    const text = { purpose: 'attachment', type: 'text/plain', bytes: Buffer.from('a text') };
    const { id } = await storeFile(service.url, { ...text, token: owner.JWT });
    const cookie = `JWT=${other.JWT}`;
    const [foreign, unknown] = [
      await compare(`/file/${id}`, { cookie }),
      await compare(`/file/${id.slice(0, -4)}AAAA`, { cookie }),
    ];
    assert.equal(foreign.status, 404);
    assert.equal(foreign.html, unknown.html);
    assert.equal(foreign.json, unknown.json);
  });

  it('a browser that opens a file without being signed in goes to the sign-in page, and every other caller gets 401', async () => {
    for (const method of ['GET', 'HEAD']) {
      const led = await ask('/file/fil_unknown', page, method);
      assert.deepEqual([led.status, led.headers.get('location')], [302, '/?next=/file/fil_unknown']);
      assert.match(led.headers.get('vary') ?? '', /Sec-Fetch-Dest/);
      assert.equal(led.headers.get('cache-control'), 'no-store');
    }
    const others = [{}, { accept: 'text/html' }, { 'sec-fetch-dest': 'empty' }, { 'sec-fetch-dest': 'image' }];
    for (const headers of others) {
      const reply = await ask('/file/fil_unknown', headers as Record<string, string>);
      assert.equal(reply.status, 401);
      assert.equal(readEnvelope(await reply.text()).codeError, 'ACCESS_TOKEN_MISSING');
    }
    for (const id of ['%2F%2Fevil.example', '%ZZ', '%66', 'x'.repeat(300)]) {
      const strange = await ask(`/file/${id}`, page);
      assert.deepEqual([strange.status, strange.headers.get('location')], [302, '/?next=/file/unknown'], id);
    }
  });

  it('a browser gets a page without the database and after a fault, at the endpoints of apps too', async () => {
    const browser = await openBrowser(service.url);
    const { cookie } = browser;
    const { idToken: hint } = await signInTo(service.url, backend, browser);
    fault = new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    const { status, html } = await compare('/api/auth/me', { cookie });
    assert.equal(status, 503);
    assert.match(html, /<h1>Not available right now<\/h1>/);
    const logout = await ask(`/oauth/logout?id_token_hint=${hint}`, { ...page, cookie });
    assert.deepEqual([logout.status, logout.headers.get('content-type')], [503, 'text/html; charset=utf-8']);
    fault = new TypeError('of the program');
    const broke = await ask('/api/auth/me', { ...page, cookie });
    assert.equal(broke.status, 500);
    const shown = await broke.text();
    assert.ok(shown.includes(broke.headers.get('x-request-id') ?? '-'));
    assert.ok(!shown.includes('of the program'));
    fault = undefined;
  });

  it('a browser with too many requests gets a page that says how long to wait, at the authorization endpoint too', async () => {
    let last = await ask('/livez');
    while (last.status !== 429) last = await ask('/nowhere');
    for (const path of ['/nowhere', `/oauth/authorize?${authorizeQuery(backend)}`]) {
      let shown = await ask(path, page);
      // The limit slides with the time, so a request may pass now and then.
      for (let tries = 0; tries < 4 && shown.status !== 429; tries++) shown = await ask(path, page);
      const html = await shown.text();
      assert.equal(shown.status, 429);
      assert.match(html, /<h1>Too many requests<\/h1>.*Try again in \d+ seconds?\./s);
      assert.match(shown.headers.get('retry-after') ?? '', /^\d+$/);
      // Everything that the page needs is in it: the browser may not ask for more.
      assert.doesNotMatch(html, /<link rel="stylesheet"|src="/);
    }
  });
});
