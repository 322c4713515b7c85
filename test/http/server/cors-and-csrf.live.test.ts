// Which web pages may call: CORS for configured origins only, and no call by cookie from any other origin.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AppBrowser, appSettings, openBrowser } from '../../helpers/people/oauth.ts';
import { checkRefusal, type RawReply, request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { changingByCookie, operations } from './operations.ts';

const app = 'https://app.example.com';
const otherApp = 'http://localhost:5173';

const requestHeaders =
  'authorization, content-type, captcha-token, rt, idempotency-key, repr-digest, content-digest, x-file-purpose, content-disposition, accept-language, ask-token, device-token, upload-complete, upload-length, upload-offset, upload-draft-interop-version';
const exposedHeaders =
  'retry-after, ratelimit, ratelimit-policy, x-request-id, link, location, content-disposition, etag, repr-digest, ask-token, device-token, proof-ticket, upload-offset, upload-complete, upload-length, upload-limit';

const strangers = ['null', 'https://evil.example'];

let gatehouse: Gatehouse;
let pair: AppBrowser;
let dispose: () => Promise<void>;

before(async () => {
  const settings = { ...appSettings(), CORS_ORIGINS: `${app} ${otherApp}`, LIMIT_UPLOADS_PER_USER: 'off' };
  const isolated = await isolatedEnv('sqlite', settings);
  dispose = () => isolated.dispose();
  gatehouse = await startGatehouse(isolated.env);
  pair = await openBrowser(gatehouse.url);
});

after(async () => {
  await gatehouse.stop();
  await dispose();
});

const ownOrigin = () => `http://localhost:${new URL(gatehouse.url).port}`;

async function send(line: string, headers: readonly string[] = [], body?: string): Promise<RawReply> {
  const isHead = line.startsWith('HEAD');
  const [reply] = await sendRaw(gatehouse.url, request(line, headers, body), { isHead });
  return reply ?? assert.fail(`no answer to ${line}`);
}

function corsHeaders({ headers }: RawReply): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

describe('CORS', () => {
  const lines = [
    'GET /api/auth/captcha/challenge',
    'GET /api/auth/me',
    'GET /nowhere',
    'PUT /livez',
    'POST /api/auth/phone/login',
  ];

  it('CORS lets a configured origin read every answer and its headers, refusals included', async () => {
    for (const line of lines) {
      for (const origin of [app, otherApp]) {
        const reply = await send(line, [`Origin: ${origin}`]);
        assert.deepEqual(corsHeaders(reply), {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': exposedHeaders,
        });
        assert.match(reply.headers.vary ?? '', /^Origin(, Sec-Fetch-Dest)?$/);
      }
    }
  });

  for (const origin of strangers) {
    it(`answers to the foreign origin "${origin}" have no CORS headers, only Vary`, async () => {
      for (const line of lines) {
        const reply = await send(line, [`Origin: ${origin}`]);
        assert.deepEqual(corsHeaders(reply), {});
        assert.match(reply.headers.vary ?? '', /^Origin(, Sec-Fetch-Dest)?$/);
      }
      const preflight = await send('OPTIONS /api/auth/me', [`Origin: ${origin}`, 'Access-Control-Request-Method: GET']);
      checkRefusal(preflight, 'METHOD_NOT_ALLOWED');
      assert.deepEqual(corsHeaders(preflight), {});
    });
  }

  it('answers without an Origin and to the service’s own origin have no CORS headers', async () => {
    assert.deepEqual(corsHeaders(await send('GET /api/auth/me')), {});
    assert.deepEqual(corsHeaders(await send('GET /api/auth/me', [`Origin: ${ownOrigin()}`])), {});
  });

  it('a CORS preflight is answered with the methods of its path, the accepted headers and ten minutes', async () => {
    const all = await operations(gatehouse.url);
    // Calls with a service key are not for pages.
    for (const { path, methods } of all.filter((one) => !one.path.startsWith('/api/service/'))) {
      const asked = methods[0] ?? '';
      const reply = await send(`OPTIONS ${path}`, [`Origin: ${app}`, `Access-Control-Request-Method: ${asked}`]);
      assert.deepEqual([reply.status, reply.body], [204, ''], path);
      const { 'access-control-allow-methods': allowed = '', ...rest } = corsHeaders(reply);
      assert.deepEqual(rest, {
        'access-control-allow-origin': app,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': '600',
      });
      for (const method of methods) assert.ok(allowed.split(', ').includes(method), `${method} ${path}`);
      assert.equal(allowed.includes('HEAD'), allowed.includes('GET'));
    }
  });

  it('a preflight of an unknown path and a plain OPTIONS are answered in the envelope', async () => {
    const asked = [`Origin: ${app}`, 'Access-Control-Request-Method: GET'];
    checkRefusal(await send('OPTIONS /nowhere', asked), 'NOT_FOUND');
    checkRefusal(await send('OPTIONS /api/auth/me', [`Origin: ${app}`]), 'METHOD_NOT_ALLOWED');
  });

  it('CORS lets a configured origin read a rate-limit refusal', async () => {
    const isolated = await isolatedEnv('sqlite', { CORS_ORIGINS: app, LIMIT_REQUESTS_PER_IP: '1/1h' });
    const limited = await startGatehouse(isolated.env);
    const ask = () => sendRaw(limited.url, request('GET /api/auth/me', [`Origin: ${app}`]));
    await ask();
    const [reply] = await ask();
    assert.deepEqual([reply?.status, reply?.headers['access-control-allow-origin']], [429, app]);
    assert.ok(Number(reply?.headers['retry-after']) > 0);
    await limited.stop();
    await isolated.dispose();
  });

  it('CORS is off if no origin is configured', async () => {
    const isolated = await isolatedEnv('sqlite');
    const closed = await startGatehouse(isolated.env);
    const [reply] = await sendRaw(closed.url, request('GET /api/auth/me', [`Origin: ${app}`]));
    assert.deepEqual([corsHeaders(reply ?? assert.fail()), reply?.headers.vary], [{}, 'Sec-Fetch-Dest']);
    await closed.stop();
    await isolated.dispose();
  });
});

describe('calls by cookie', () => {
  /** Passes every guard and is then refused for its body, so that nothing is changed. */
  const attempt = async (line: string, headers: readonly string[]) => {
    const { status, body } = await send(line, ['Content-Type: text/x-nothing', ...headers], 'x');
    return `${status} ${JSON.parse(body).codeError}`;
  };
  const cookies = () => `Cookie: ${pair.cookie}; RT=${pair.RT}`;

  const passing = (): string[][] => [
    [`Origin: ${ownOrigin()}`],
    [`Origin: ${gatehouse.url}`],
    [`Origin: ${app}`, 'Sec-Fetch-Site: cross-site'],
    [],
  ];
  const refused = (): string[][] => [
    ...strangers.map((origin) => [`Origin: ${origin}`]),
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
  ];

  it('this test covers every call by cookie that changes something', async () => {
    const known = (await changingByCookie(gatehouse.url)).map(({ line }) => line);
    for (const line of [
      'POST /api/auth/logout',
      'DELETE /api/auth/me',
      'PUT /api/auth/email/add',
      'DELETE /api/auth/email',
      'POST /api/auth/refresh-token',
      'POST /api/auth/email/send/otp',
      'DELETE /api/auth/sessions/x',
      'POST /api/auth/apps/consent',
    ])
      assert.ok(known.includes(line), line);
  });

  it('calls by cookie pass from the service’s own pages, from configured origins and from clients that are not browsers', async () => {
    for (const { line } of await changingByCookie(gatehouse.url))
      for (const headers of passing())
        assert.match(await attempt(line, [cookies(), ...headers]), /^4(00|15|22|04) /, [line, ...headers].join(' '));
  });

  it('calls by cookie from any other origin are refused before anything else is checked', async () => {
    for (const { line } of await changingByCookie(gatehouse.url))
      for (const headers of refused())
        assert.equal(await attempt(line, [cookies(), ...headers]), '403 CSRF_REJECTED', [line, ...headers].join(' '));
  });

  it('calls by cookie from a foreign origin are refused even with another scheme or an empty RT beside the cookie', async () => {
    const evil = 'Origin: https://evil.example';
    for (const { line, isRefresh } of await changingByCookie(gatehouse.url))
      for (const header of isRefresh
        ? ['RT:', 'RT: Bearer', 'RT: Bearer ']
        : ['Authorization: Basic eDp5', 'Authorization:'])
        assert.equal(await attempt(line, [cookies(), header, evil]), '403 CSRF_REJECTED', `${line} ${header}`);
  });

  it('a refused call by cookie gets a complete envelope', async () => {
    checkRefusal(await send('POST /api/auth/logout', [cookies(), 'Origin: null']), 'CSRF_REJECTED');
  });

  it('calls with a token in a header are never refused for their origin', async () => {
    for (const { line, isRefresh, isOfBrowser } of await changingByCookie(gatehouse.url)) {
      const passed = isOfBrowser ? /^403 BROWSER_SESSION_REQUIRED$/ : /^4(00|15|22|04) /;
      const tokens = [
        ...(isRefresh ? [`RT: ${pair.RT}`] : []),
        ...(line === 'POST /api/auth/refresh-token' ? [] : [`Authorization: Bearer ${pair.JWT}`]),
      ];
      for (const headers of [...refused(), ...passing()]) {
        const what = [line, ...headers].join(' ');
        assert.match(await attempt(line, [...tokens, ...headers]), passed, what);
        assert.match(await attempt(line, [cookies(), ...tokens, ...headers]), passed, what);
      }
    }
  });

  it('reading by cookie needs no origin', async () => {
    for (const line of ['GET /api/auth/me', 'GET /api/auth/sessions', 'HEAD /api/auth/me'])
      for (const headers of refused()) assert.equal((await send(line, [cookies(), ...headers])).status, 200, line);
  });

  it('refused calls by cookie change nothing', async () => {
    assert.equal((await send('GET /api/auth/me', [cookies()])).status, 200);
    assert.equal((await send('POST /api/auth/refresh-token', [cookies(), `Origin: ${app}`])).status, 200);
  });
});
