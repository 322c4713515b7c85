// Appends that end early: cut by their client, or overtaken by HEAD, GET, DELETE or a newer append, here or on another node.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { enter } from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { request } from '../../../../helpers/requests/raw-request.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage, startTwoNodes } from '../../../../helpers/services/stage.ts';
import { partial, send, uploaderAt, uploads } from '../../../../helpers/uploads/resumable.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const csv = 'Content-Type: text/csv';
const begun = ['Upload-Complete: ?0', csv];
const fields = (offset: number | string, complete = '?0') => [
  `Upload-Offset: ${offset}`,
  `Upload-Complete: ${complete}`,
];

for (const kind of tierStoreKinds)
  describe(`appends that are cut or overtaken on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: 'off', UPLOAD_LIFE: '5m' });
    let token = '';
    let user: ReturnType<typeof uploaderAt>;
    before(async () => {
      token = (await enter(stage.url)).JWT;
      user = uploaderAt(stage.url, token);
    });
    /** A new upload with its first ten bytes. */
    const ten = async (headers: readonly string[] = begun, query?: string) =>
      (await user.create(headers, '0123456789', query)).headers.location ?? assert.fail('no upload');
    const patch = (path: string, headers: readonly string[], body: string | Buffer = 'abc') =>
      send({ url: stage.url, token, method: 'PATCH', path, headers, body });
    /** An append of 100 bytes of which five are sent. The service waits for the others. */
    const hang = (path: string, by = user) => by.begin(`PATCH ${path}`, [partial, ...fields(10)], 100, 'abcde');

    /** Appends on new connections, and then HEAD, which is warm if its connection has had an answer before. */
    const raceWithHead = async (many: number, isWarm: boolean) => {
      const { hostname, port } = new URL(stage.url);
      const open = async () => {
        const socket = connect({ host: hostname, port: Number(port) });
        await once(socket, 'connect');
        let received = '';
        socket
          .on('error', () => undefined)
          .on('data', (chunk) => {
            received += chunk.toString('latin1');
          });
        return { socket, received: () => received };
      };
      const own = `Authorization: Bearer ${token}`;
      for (let round = 0; round < 10; round++) {
        const path = await ten();
        const asker = await open();
        if (isWarm) {
          asker.socket.write(request(`OPTIONS ${uploads}`));
          await once(asker.socket, 'data');
        }
        const appends = await Promise.all(Array.from({ length: many }, open));
        const ended = appends.map(({ socket }) => once(socket, 'close').catch(() => undefined));
        for (const [index, { socket }] of appends.entries())
          socket.write(
            request(`PATCH ${path}`, [own, partial, ...fields(10), 'Connection: close'], 'x'.repeat(1 + index)),
          );
        asker.socket.write(request(`HEAD ${path}`, [own, 'Connection: close']));
        await once(asker.socket, 'close');
        await Promise.all(ended);
        const shown = /upload-offset: (\d+)/i.exec(asker.received())?.[1];
        assert.equal((await user.head(path)).headers['upload-offset'], shown, `round ${round}`);
      }
    };

    it('an offset that HEAD gave is moved by none of four appends that came before the answer', () =>
      raceWithHead(4, false));

    it('an offset that HEAD gave on an open connection is moved by none of fifty appends sent before it', () =>
      raceWithHead(50, true));

    it('a few bytes that were sent right before the connection closed are kept', async () => {
      const { hostname, port } = new URL(stage.url);
      for (const bytes of [1, 10, 1000]) {
        const path = await ten();
        const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
        await once(socket, 'connect');
        const headers = [`Authorization: Bearer ${token}`, partial, ...fields(10), 'Content-Length: 5000'];
        socket.end(Buffer.concat([request(`PATCH ${path}`, headers), Buffer.alloc(bytes, 'x')]));
        socket.destroySoon();
        await waitUntil(`${bytes} bytes are kept`, async () => {
          // The list ends no request, unlike HEAD.
          const { uploads: open } = (await call(stage.url, 'GET', '/api/file/uploads', { token })).body.data;
          return open.find(({ url }: { url: string }) => url === path)?.offset === 10 + bytes;
        });
      }
    });

    it('bytes that arrived before the connection broke are kept, and the upload goes on behind them', async () => {
      const path = await ten();
      const open = await hang(path);
      open.socket.destroy();
      const offset = await waitUntil('the bytes are kept', async () => {
        const { headers } = await user.head(path);
        return Number(headers['upload-offset']) > 10 ? Number(headers['upload-offset']) : undefined;
      });
      assert.equal(offset, 15);
      assert.equal((await user.append(path, offset, '?1', '\n')).outcome, '201 16 ?1');
    });

    for (const [what, take] of [
      ['HEAD', (path: string) => user.head(path)],
      ['GET', (path: string) => user.show(path)],
    ] as const)
      it(`${what} takes the upload from a request that hangs: its connection is cut, and the offset holds`, async () => {
        const path = await ten();
        const open = await hang(path);
        const reply = await take(path);
        await open.closed;
        const offset = Number(reply.headers['upload-offset']);
        assert.ok(offset === 10 || offset === 15, reply.outcome);
        assert.ok(!open.received().includes('HTTP/1.1 2'), open.received());
        assert.equal((await user.append(path, offset, '?0', 'x')).outcome, `200 ${offset + 1} ?0`);
      });

    it('an append takes the upload from an append that hangs', async () => {
      const path = await ten();
      const open = await hang(path);
      const reply = await patch(path, [partial, ...fields(10)], 'x');
      await open.closed;
      // The bytes of the older request may have become durable first.
      assert.ok(['200 11 ?0', '409 UPLOAD_OFFSET_WRONG 15 ?0'].includes(reply.outcome), reply.outcome);
      const { headers } = await user.head(path);
      assert.ok(['11', '15'].includes(headers['upload-offset'] ?? ''));
    });

    it('another node takes the upload too: the older request can no longer move the offset', async (context) => {
      const { urls } = await startTwoNodes(context, kind, 0, { settings: { LIMIT_UPLOADS_PER_USER: 'off' } });
      const { JWT } = await enter(urls[0]);
      const [first, second] = [uploaderAt(urls[0], JWT), uploaderAt(urls[1], JWT)];
      const { location = '' } = (await first.create(begun, '0123456789')).headers;
      const open = await hang(location, first);
      assert.equal((await second.head(location)).outcome, '200 10 ?0');
      assert.equal((await second.append(location, 10, '?0', 'x')).outcome, '200 11 ?0');
      open.socket.write('y'.repeat(95));
      await open.closed;
      assert.ok(!open.received().includes('HTTP/1.1 2'), open.received());
      assert.equal((await first.append(location, 11, '?1', '\n')).outcome, '201 12 ?1');
      assert.equal((await second.show(location)).outcome, '200 12 ?1');
    });

    it('a cancelled upload is gone, and a request that still sends to it is cut', async () => {
      const path = await ten();
      const open = await hang(path);
      const cancelled = await user.cancel(path);
      assert.deepEqual([cancelled.outcome, cancelled.envelope.data], ['200', null]);
      await open.closed;
      for (const reply of [await user.head(path), await user.cancel(path), await patch(path, [partial, ...fields(15)])])
        assert.equal(reply.status, 404);
    });

    it('an append that is cut short is told so, and keeps what arrived', async () => {
      const path = await ten();
      const open = await hang(path);
      open.socket.end();
      await open.closed;
      assert.match(open.received(), /HTTP\/1\.1 400 [\s\S]*"FILE_INCOMPLETE"/);
      assert.equal((await user.head(path)).outcome, '200 15 ?0');
    });
  });
