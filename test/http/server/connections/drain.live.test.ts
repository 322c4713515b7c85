// After a refusal that came before the end of a body, the rest is read, and the same connection serves the next request.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { uploadTimes } from '../../../../src/files/uploads/upload-times.ts';
import { answerEarly } from '../../../../src/http/server/connections/drain.ts';
import { readBytes } from '../../../../src/http/server/json-body.ts';
import { serverTimes } from '../../../../src/http/server/server-times.ts';
import { bodyOf } from '../../../../src/http/transfer/upload-body.ts';

async function readOneChunk(asked: IncomingMessage): Promise<void> {
  for await (const chunk of bodyOf(asked, 2 ** 20, uploadTimes)) return assert.ok(chunk.length > 0);
}

const readers: Record<string, (asked: IncomingMessage) => unknown> = {
  'was not read': () => undefined,
  'was read for one chunk': readOneChunk,
  'is larger than the limit of JSON': (asked) => assert.rejects(readBytes(asked), { code: 'BODY_TOO_LARGE' }),
};

for (const [name, read] of Object.entries(readers)) {
  it(`the connection stays open after the refusal of a body that ${name}`, async (context) => {
    const server = createServer(async (asked, reply) => {
      const isFull = async () => {
        while (asked.readableLength < asked.readableHighWaterMark) await nextTurn();
      };
      await isFull();
      await read(asked);
      await isFull();
      const end = () => void reply.writeHead(507).end('full');
      const writeLast = () => assert.fail('the connection closes');
      answerEarly(asked, { response: reply, end, writeLast }, { ...serverTimes, restMilliseconds: 10_000 });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => {
      agent.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const sockets = new Set<Socket>();
    for (let round = 0; round < 3; round++) {
      const asked = request({ port, host: '127.0.0.1', method: 'POST', agent });
      asked.once('socket', (socket) => sockets.add(socket));
      asked.end(Buffer.alloc(900 * 1024));
      const [reply] = (await once(asked, 'response')) as [IncomingMessage];
      assert.equal(Buffer.concat(await reply.toArray()).toString(), 'full');
    }
    assert.equal(sockets.size, 1);
  });
}
