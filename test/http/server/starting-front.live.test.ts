// While the service starts: it is live at once, not ready with a reason, and early requests are answered by the service once it runs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { noBrand } from '../../../src/brand/brand.ts';
import { createProblemPages, type ProblemPages } from '../../../src/http/pages/problem-page.ts';
import { allowContinue } from '../../../src/http/server/connections/expect-continue.ts';
import { createStartingListener, type HoldBounds } from '../../../src/http/server/connections/starting-listener.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { checkRefusal, type RawReply, request, sendRaw } from '../../helpers/requests/raw-request.ts';

const reason = 'The service is starting: it has been waiting for migration 0009-x for 7 s.';

/** A front that listens, and a service that echoes the request. */
async function open(test: TestContext, bounds?: HoldBounds, pages?: () => ProblemPages | undefined) {
  const front = createStartingListener('http://localhost', () => reason, bounds, pages);
  front.server.listen(0, '127.0.0.1');
  await once(front.server, 'listening');
  test.after(() => {
    front.server.closeAllConnections();
    front.server.close();
  });
  const answer: RequestListener = async (asked, reply) => {
    allowContinue(asked);
    reply.end(`${asked.method} ${asked.url} ${(await text(asked)).length}`);
  };
  front.take(answer);
  return { front, url: `http://127.0.0.1:${(front.server.address() as AddressInfo).port}` };
}

/** Resolves when that many requests have arrived. */
async function untilHeld(server: Server, count: number): Promise<void> {
  let seen = 0;
  await new Promise<void>((resolve) => {
    server.on('request', () => {
      seen += 1;
      if (seen === count) resolve();
    });
  });
}

function checkUnavailable(reply: RawReply | undefined): void {
  assert.equal(reply?.status, 503);
  assert.equal(readEnvelope(reply.body).codeError, 'SERVICE_UNAVAILABLE');
  assert.equal(reply.headers['retry-after'], '1');
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.match(reply.headers['x-request-id'] ?? '', /^[\w-]{8,64}$/);
}

it('a starting service answers liveness and readiness at once, to HEAD too', async (test) => {
  const { url } = await open(test);
  const [live] = await sendRaw(url, request('GET /livez'));
  assert.deepEqual([live?.status, live?.body], [200, 'ok\n']);
  const [ready] = await sendRaw(url, request('GET /readyz?verbose'));
  assert.equal(ready?.status, 503);
  assert.deepEqual(JSON.parse(ready?.body ?? ''), {
    success: false,
    message: reason,
    codeError: 'SERVICE_UNAVAILABLE',
    data: null,
  });
  assert.equal(ready?.headers['retry-after'], '1');
  for (const [path, status] of [
    ['/livez', 200],
    ['/readyz', 503],
  ] as const) {
    const [head] = await sendRaw(url, request(`HEAD ${path}`), { isHead: true });
    assert.deepEqual([head?.status, head?.body], [status, '']);
  }
});

it('a starting service hands over early requests in order on one connection, with their bodies', async (test) => {
  const { front, url } = await open(test);
  const body = 'x'.repeat(300_000);
  const head = `Host: localhost\r\nContent-Length: ${body.length}\r\n`;
  const held = untilHeld(front.server, 4);
  const asked = Promise.all([
    sendRaw(url, Buffer.concat([request('GET /a'), request('GET /b')]), { replies: 2 }),
    sendRaw(url, `POST /c HTTP/1.1\r\n${head}\r\n${body}`),
    sendRaw(url, `POST /d HTTP/1.1\r\n${head}Expect: 100-continue\r\n\r\n`, {
      goOn: async (socket) => {
        await once(socket, 'data');
        socket.write(body);
      },
    }),
  ]);
  await held;
  front.open();
  const [[a, b], [c], [d]] = await asked;
  assert.deepEqual(
    [a, b, c, d].map((reply) => reply?.body),
    ['GET /a 0', 'GET /b 0', 'POST /c 300000', 'POST /d 300000'],
  );
  assert.deepEqual(d?.interim, [100]);
  const [later] = await sendRaw(url, request('GET /livez'));
  assert.equal(later?.body, 'GET /livez 0');
});

it('a starting service refuses requests after a while, and at once above its limit, and the connection stays usable', async (test) => {
  const { front, url } = await open(test, { milliseconds: 300, requests: 1 });
  const replies = await sendRaw(url, Buffer.concat(['/a', '/b', '/livez'].map((path) => request(`GET ${path}`))), {
    replies: 3,
  });
  assert.deepEqual(
    replies.map(({ status }) => status),
    [503, 503, 200],
  );
  for (const reply of replies.slice(0, 2)) checkUnavailable(reply);
  front.open();
  assert.equal((await sendRaw(url, request('GET /a')))[0]?.body, 'GET /a 0');
});

it('a starting service answers a browser that opens an address with a page, as soon as it has one, and programs with JSON', async (test) => {
  let pages: ProblemPages | undefined;
  const { url } = await open(test, { milliseconds: 0, requests: 0 }, () => pages);
  const ask = async (line: string, ...headers: string[]) =>
    (await sendRaw(url, request(line, headers), { isHead: line.startsWith('HEAD') }))[0] ?? assert.fail(line);
  const navigation = 'Sec-Fetch-Dest: document';
  checkUnavailable(await ask('GET /account', navigation));
  pages = createProblemPages(noBrand, 'a{}');
  const page = await ask('GET /account', navigation, 'Accept-Language: ar');
  assert.deepEqual([page.status, page.headers['retry-after']], [503, '1']);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
  assert.ok(page.body.includes('<html lang="ar" dir="rtl">'));
  assert.ok(page.body.includes(`<h1>${textsIn('ar').pages.problem.unavailable}</h1>`));
  const head = await ask('HEAD /account', navigation);
  assert.deepEqual([head.status, head.headers['content-type'], head.body], [503, page.headers['content-type'], '']);
  for (const headers of [[], ['Sec-Fetch-Dest: empty'], ['Accept: text/html']])
    checkUnavailable(await ask('GET /account', ...headers));
  const ready = await ask('GET /readyz', navigation);
  assert.equal(readEnvelope(ready.body).message, reason);
});

it('a starting service answers malformed requests and CONNECT in the envelope', async (test) => {
  const { url } = await open(test);
  for (const bytes of ['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nA B: c\r\n\r\n']) {
    const [reply] = await sendRaw(url, bytes);
    checkRefusal(reply, 'REQUEST_INVALID');
  }
  const fresh = createStartingListener('http://localhost', () => reason);
  fresh.server.listen(0, '127.0.0.1');
  await once(fresh.server, 'listening');
  test.after(() => fresh.server.close());
  const own = `http://127.0.0.1:${(fresh.server.address() as AddressInfo).port}`;
  const [tunnel] = await sendRaw(own, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
  checkUnavailable(tunnel);
});

it('a starting service that is stopped refuses waiting requests and closes', async (test) => {
  const { front, url } = await open(test);
  const held = untilHeld(front.server, 1);
  const asked = sendRaw(url, request('GET /a'));
  await held;
  const closed = once(front.server, 'close');
  front.stop();
  const [reply] = await asked;
  assert.deepEqual([reply?.status, reply?.headers.connection], [503, 'close']);
  await closed;
});
