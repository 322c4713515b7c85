// Answers before a CONNECT on the same connection: they arrive whole, also large ones, and leave nothing open if the client goes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { serveRoutes } from '../../../helpers/services/serve-routes.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const bytes = 8 * 1024 * 1024;
const begun = Promise.withResolvers<void>();
const endless = new Readable({
  read() {
    begun.resolve();
    this.push(Buffer.alloc(64 * 1024));
  },
});

const waiting = Promise.withResolvers<Socket>();

function* pieces() {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 'a');
}

const served = await serveRoutes((routes) => {
  routes.get('/large', (_, reply) => reply.header('content-length', String(bytes)).stream(Readable.from(pieces())));
  routes.get('/small', (_, reply) => reply.send('small'));
  routes.get('/never', ({ socket }) => {
    waiting.resolve(socket);
    return new Promise(() => undefined);
  });
  routes.get('/endless', (_, reply) => reply.stream(endless));
});
after(served.close);

const open = (...lines: readonly string[]) => {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  socket.write(lines.map((line) => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
};

describe('a refused body behind an answer that is not ready', () => {
  it('only a limited part of it is read', async () => {
    const socket = open('GET /never');
    socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`4000\r\n${'a'.repeat(0x4000)}\r\n`.repeat(2000));
    const served = await waiting.promise;
    await waitUntil('a pause', async () => served.isPaused());
    // The system hands over up to 2 MiB between two checks.
    const { bytesRead } = served;
    for (let turns = 0; turns < 20; turns += 1) await turn();
    const read = [bytesRead < 16 * 2 ** 20, served.bytesRead];
    socket.destroy();
    served.destroy();
    assert.deepEqual(read, [true, bytesRead]);
  });
});

describe('a CONNECT after other requests', () => {
  it('a large answer before it arrives whole, then its own', async () => {
    const text = (await buffer(open('GET /large', 'GET /nowhere', 'CONNECT a.example:443'))).toString('latin1');
    const content = text.indexOf('\r\n\r\n') + 4;
    assert.ok(text.slice(content, content + bytes) === 'a'.repeat(bytes), 'the large answer is not whole');
    const rest = text.slice(content + bytes);
    assert.deepEqual(rest.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 405']);
  });

  it('a large answer arrives whole if an earlier pair of requests was pipelined too', async () => {
    const socket = open('GET /small', 'GET /small');
    let received = '';
    for await (const chunk of socket.setEncoding('latin1').iterator({ destroyOnReturn: false })) {
      received += chunk;
      if (received.split('HTTP/1.1 200').length > 2 && received.endsWith('small')) break;
    }
    socket.write(['GET /large', 'CONNECT a:443'].map((line) => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    const text = String(await socket.reduce((all: string, chunk: string) => all + chunk, ''));
    assert.ok(text.length > bytes, `${text.length} characters`);
    assert.match(text.slice(-2000), /HTTP\/1\.1 405/);
  });

  it('an answer that still waits ends with its source if the client leaves', async () => {
    const socket = open('GET /never', 'GET /endless', 'CONNECT a.example:443');
    await begun.promise;
    const closed = once(endless, 'close');
    socket.destroy();
    await closed;
  });
});
