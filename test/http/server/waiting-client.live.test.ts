// What a route asks of the database is asked for its client, as long as that client waits; what an upload asks is not.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it } from 'node:test';
import { type WaitingClient, waitingClient } from '../../../src/kernel/work/waiting-client.ts';
import { serveRoutes } from '../../helpers/services/serve-routes.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

it('work of a route is for its client until that leaves, also behind a guard, and an upload is for nobody', async (t) => {
  const seen = new Map<string, WaitingClient | undefined>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const guard = async () => void seen.set('guard', waitingClient());
  const served = await serveRoutes(({ add, get }) => {
    get('/waits', async (_request, reply) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.set('waits', waitingClient());
      await opened;
      reply.send('late');
    });
    add({ method: 'GET', path: '/guarded', guard, handle: (_request, reply) => reply.send('') });
    add({
      method: 'POST',
      path: '/upload',
      rules: { takesStream: true },
      handle: (_request, reply) => {
        seen.set('upload', waitingClient());
        reply.send('');
      },
    });
  });
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  t.after(async () => {
    socket.destroy();
    open();
    await served.close();
  });
  await served.ask('/guarded');
  assert.equal(seen.get('guard')?.isGone, false, 'a client that has its answer has not left early');
  assert.equal((await fetch(`${served.url}/upload`, { method: 'POST', body: 'x' })).status, 200);
  assert.deepEqual([seen.has('upload'), seen.get('upload')], [true, undefined]);

  socket.write('GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const client = await waitUntil('the request to arrive', () => seen.get('waits'));
  assert.equal(client.isGone, false);
  socket.destroy();
  await waitUntil('the service to notice', () => client.isGone);
  open();
});
