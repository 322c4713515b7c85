// What all answers have in common: one meaning of a path, safe headers, no access for foreign pages, no internals revealed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPrometheusMetrics } from '../../../src/service/metrics/prometheus.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { askForCode, enter } from '../../helpers/people/users.ts';
import { newPhone, readEnvelope } from '../../helpers/requests/api.ts';
import { request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { textFile } from '../../helpers/uploads/sample-files.ts';

describe('the HTTP surface', () => {
  const stage = setStage('sqlite');

  async function ask(line: string, headers: readonly string[] = [], body?: string) {
    const [reply = assert.fail(`no answer to ${line}`)] = await sendRaw(stage.url, request(line, headers, body));
    return reply;
  }

  it('every path has one spelling, and all others answer 404 with no-store', async () => {
    const { JWT } = await enter(stage.url);
    const { id } = await storeFile(stage.url, { token: JWT, purpose: 'document', type: 'text/plain', bytes: textFile });
    const bearer = [`Authorization: Bearer ${JWT}`];
    assert.equal((await ask(`GET /file/${id}`, bearer)).status, 200);
    const others = [`/file/${id}/`, `/file/${id}/x.css`, `/file/${id}.css`, `/file/${id};x.css`, `/file/${id}%2fx.css`]
      .concat([`/file/${id}%00`, `/file/${id}%0d%0a`, `//file/${id}`, `/./file/${id}`, `/x/../file/${id}`])
      .concat([`/FILE/${id}`, `/file%2f${id}`, `/file\\${id}`, `/file/../file/${id}`, '/file/..%2f..%2fetc%2fpasswd'])
      .concat([
        '//api/auth/me',
        '/api//auth/me',
        '/api/auth/./me',
        '/api/auth/me/',
        '/api/auth/ME',
        '/api/auth/me;a=b',
      ]);
    for (const path of others) {
      const reply = await ask(`GET ${path}`, bearer);
      assert.equal(reply.status, 404, path);
      assert.equal(reply.headers['cache-control'], 'no-store', path);
    }
  });

  it('the service keeps idle connections longer than load balancers do, and announces it', async () => {
    assert.equal((await ask('GET /livez')).headers['keep-alive'], 'timeout=65');
  });

  it('every answer has headers against framing, sniffing, caching and referrers', async () => {
    const { JWT } = await enter(stage.url);
    const { id } = await storeFile(stage.url, { token: JWT, purpose: 'document', type: 'text/plain', bytes: textFile });
    const bearer = [`Authorization: Bearer ${JWT}`];
    const pages = [
      '/',
      '/account',
      '/login/link',
      '/not-me',
      '/inbox',
      '/brand',
      '/docs',
      '/docs/errors',
      '/docs/docs.js',
      '/docs/api/auth',
      '/docs/apps',
      '/docs/search.json',
      '/gatehouse-sign-in.js',
      '/gatehouse-sign-in/texts.json',
      '/openapi.json',
    ];
    const rest = [
      '/livez',
      '/readyz',
      '/.well-known/jwks.json',
      '/api/auth/me',
      `/file/${id}`,
      '/api/inbox',
      '/nothing',
    ];
    for (const path of [...pages, ...rest]) {
      const { headers } = await ask(`GET ${path}`, bearer);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['referrer-policy'], 'no-referrer', path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/, path);
      assert.doesNotMatch(
        headers['content-security-policy'] ?? '',
        /unsafe-eval|script-src[^;]*unsafe-inline|\*/,
        path,
      );
      assert.ok(headers['cross-origin-resource-policy'] !== undefined, path);
      assert.match(headers['cache-control'] ?? '', /no-store|no-cache|^public, max-age=600$/, path);
      assert.ok(!('server' in headers) && !('x-powered-by' in headers), path);
    }
    const inert = (await ask(`GET /file/${id}`, bearer)).headers;
    assert.match(inert['content-security-policy'] ?? '', /; sandbox$/);
    assert.equal(inert['cache-control'], 'private, no-cache');
  });

  it('a foreign page cannot sign a user in: form content types are refused, and a preflight gets no CORS headers', async () => {
    const phone = newPhone();
    const body = JSON.stringify({ phone, otp: await askForCode(stage.url, phone) });
    const foreign = ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'];
    for (const path of ['/api/auth/phone/login', '/api/auth/email/login']) {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        undefined,
      ]) {
        const headers = type === undefined ? foreign : [...foreign, `Content-Type: ${type}`];
        const reply = await ask(`POST ${path}`, headers, body);
        assert.equal(reply.status, 415, `${path} ${type}`);
        assert.ok(!('set-cookie' in reply.headers));
      }
      const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: content-type'];
      const { headers } = await ask(`OPTIONS ${path}`, [...foreign, ...preflight]);
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
    }
    // The code is still unused.
    const own = await ask('POST /api/auth/phone/login', ['Content-Type: application/json'], body);
    assert.equal(own.status, 200);
  });

  it('metrics are not on the public port, and the metrics port serves nothing else', async (test) => {
    for (const path of ['/metrics', '/metrics/', '/debug', '/admin.php', '/.env', '/.git/config', '/data/secret'])
      assert.equal((await ask(`GET ${path}`)).status, 404, path);
    const metrics = createPrometheusMetrics();
    test.after(() => metrics.close());
    const port = await freePort();
    assert.ok(await metrics.listen('127.0.0.1', port));
    for (const path of ['/', '/metrics/x', '/api/inbox', '/readyz', '//metrics'])
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404, path);
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200);
  });

  it('an internal error reveals nothing but the request id', async () => {
    const { JWT } = await enter(stage.url);
    await askStore(stage.env, 'alter table files rename to files_elsewhere');
    try {
      const reply = await ask('GET /api/file', [`Authorization: Bearer ${JWT}`]);
      assert.ok(reply.status === 500 || reply.status === 503, reply.body);
      const { message, data } = readEnvelope(reply.body);
      assert.equal(data, null);
      if (reply.status === 500) assert.ok(message.includes(reply.headers['x-request-id'] ?? '-'), message);
      assert.doesNotMatch(reply.body, /files|sqlite|select|table|\.ts|node_modules/i);
    } finally {
      await askStore(stage.env, 'alter table files_elsewhere rename to files');
    }
  });
});
