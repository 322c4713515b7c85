// What a reply sends: its headers and length, a stream and its failures, and an answer in place of one that cannot be sent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import type { Handler } from '../../../src/http/server/request.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { serveRoutes } from '../../helpers/services/serve-routes.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, code) => code));
const left = new Readable({ read: () => undefined });
const openedLate = new Readable({ read: () => undefined });
const isLateOver = Promise.withResolvers<void>();

const handlers: Readonly<Record<string, Handler>> = {
  '/plain': (_, reply) => reply.type('text/plain').send('höl'),
  '/bytes': (_, reply) => reply.type('text/plain').send(Buffer.from('abc')),
  '/all-bytes': (_, reply) => reply.send(allBytes),
  '/many-bytes': (_, reply) => reply.send(Buffer.concat(Array.from({ length: 100 }, () => allBytes))),
  '/empty': (_, reply) => reply.send(),
  '/none': (_, reply) => reply.code(204).send(),
  '/known': (_, reply) => reply.code(304).header('etag', '"a"').send(),
  '/twice': (_, reply) => reply.send('first').code(500).send('second'),
  '/late': async (_, reply) => {
    reply.send('sent');
    throw new Error('late');
  },
  '/replaced': (_, reply) =>
    reply
      .header('x-a', '1')
      .headers({ 'x-a': '2', 'cache-control': 'no-cache' })
      .header('set-cookie', 'a')
      .header('set-cookie', 'b')
      .send(),
  '/broken-header': (_, reply) => reply.header('x-a', 'a\nb').send('x'),
  '/broken-header-later': async (_, reply) => reply.header('x-a', 'a\nb').send('x'),
  '/thrown': () => {
    throw new Failure('FILE_NOT_FOUND');
  },
  '/thrown-after-headers': async (_, reply) => {
    reply.type('image/png').header('content-length', '7').header('x-a', 'kept');
    throw new Failure('FILE_NOT_FOUND');
  },
  '/stream': (_, reply) => reply.stream(Readable.from(['ab', 'cd'])),
  '/stream-empty': (_, reply) => reply.header('content-length', '0').stream(Readable.from([])),
  '/stream-refused': (_, reply) =>
    reply.stream(failing([], new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }))),
  '/stream-broken': (_, reply) => reply.header('content-length', '9').stream(failing(['ab'], new Error('disk'))),
  '/stream-broken-header': (_, reply) => reply.header('x-a', 'a\nb').stream(Readable.from(['ab'])),
  '/stream-left': (_, reply) => reply.stream(left),
  '/stream-late': async (_, reply) => {
    await once(reply.raw, 'close');
    await reply.stream(openedLate);
    isLateOver.resolve();
  },
};

function failing(chunks: readonly string[], error: Error): Readable {
  return Readable.from(
    (async function* () {
      yield* chunks;
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw error;
    })(),
  );
}

const served = await serveRoutes((routes) => {
  for (const [path, handle] of Object.entries(handlers)) routes.get(path, handle);
});
after(served.close);

describe('a reply', () => {
  for (const [path, status, length, text] of [
    ['/plain', 200, '4', 'höl'],
    ['/bytes', 200, '3', 'abc'],
    ['/empty', 200, '0', ''],
    ['/none', 204, undefined, ''],
    ['/known', 304, undefined, ''],
    ['/twice', 200, '5', 'first'],
    ['/late', 200, '4', 'sent'],
    ['/stream', 200, undefined, 'abcd'],
    ['/stream-empty', 200, '0', ''],
  ] as const) {
    it(`${path} has the status ${status} and its length, for HEAD too`, async () => {
      const answer = await served.ask(path);
      assert.deepEqual([answer.status, answer.headers['content-length'], answer.text], [status, length, text]);
      if (path.startsWith('/stream')) return;
      const head = await served.ask(path, {}, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-length'], head.text], [status, length, '']);
    });
  }

  it('bytes arrive as they are, few or many', async () => {
    assert.deepEqual((await served.ask('/all-bytes')).body, allBytes);
    const { body } = await served.ask('/many-bytes');
    assert.deepEqual([body.length, body.subarray(-256)], [25_600, allBytes]);
  });

  for (const path of ['/plain', '/empty', '/many-bytes', '/stream', '/thrown', '/late', '/broken-header']) {
    it(`${path} is counted once by the metrics, also if several requests arrive together`, async () => {
      const count = () => served.answers.filter(({ route }) => route === path).length;
      const before = count();
      await served.ask(path);
      await waitUntil('the answer is counted', () => count() === before + 1);
      const { hostname, port } = new URL(served.url);
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(3));
      socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      await once(socket.resume(), 'close');
      await waitUntil('all answers are counted', () => count() === before + 5);
      const seen = served.answers.filter(({ route }) => route === path);
      assert.equal(new Set(seen.map(({ status }) => status)).size, 1);
    });
  }

  it('a header has its last value, and every cookie is sent', async () => {
    const { headers } = await served.ask('/replaced');
    assert.deepEqual([headers['x-a'], headers['cache-control'], headers['set-cookie']], ['2', 'no-cache', ['a', 'b']]);
    assert.equal(headers['x-frame-options'], 'DENY');
  });

  for (const path of ['/broken-header', '/broken-header-later', '/stream-broken-header'])
    it(`${path} is answered as a fault without the header that cannot be sent`, async () => {
      const { status, headers, text } = await served.ask(path);
      assert.deepEqual([status, headers['x-a']], [500, undefined]);
      assert.match(text, /"INTERNAL_ERROR"/);
    });

  it('a failure has its own type and length, and keeps the other headers that were set before', async () => {
    assert.equal((await served.ask('/thrown')).status, 404);
    const { status, headers, text } = await served.ask('/thrown-after-headers');
    assert.deepEqual(
      [status, headers['content-type'], headers['x-a']],
      [404, 'application/json; charset=utf-8', 'kept'],
    );
    assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
  });
});

describe('a stream as the body of a reply', () => {
  it('a source that fails before its first byte gets the answer of its failure', async () => {
    const { status, text } = await served.ask('/stream-refused');
    assert.equal(status, 503);
    assert.match(text, /"STORAGE_UNAVAILABLE"/);
  });

  it('a source that fails later breaks the connection', async () => {
    await assert.rejects(served.ask('/stream-broken'), /aborted|hang up|ECONNRESET/);
  });

  it('a client that leaves ends the source, and nothing is logged as a fault', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.write('GET /stream-left HTTP/1.1\r\nHost: a\r\n\r\n');
    const closed = once(left, 'close');
    setTimeout(() => socket.destroy(), 100);
    await closed;
    await new Promise(setImmediate);
    assert.ok(!JSON.stringify(served.lines).includes('/stream-left'));
  });

  it('a client that left before the source was opened ends it too', { timeout: 5000 }, async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.write('GET /stream-late HTTP/1.1\r\nHost: a\r\n\r\n');
    setTimeout(() => socket.destroy(), 100);
    await isLateOver.promise;
    assert.ok(openedLate.destroyed);
    assert.ok(!JSON.stringify(served.lines).includes('/stream-late'));
  });
});
