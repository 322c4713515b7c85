// Too many connections: the network that has most loses its oldest, and another network gets in.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { createNodeServer } from '../../../../src/http/server/connections/listener.ts';
import { serverTimes } from '../../../../src/http/server/server-times.ts';

const onLinux = { skip: process.platform !== 'linux' };

it('a client that has all connections does not keep another out, and loses its oldest', onLinux, async (context) => {
  const server = createNodeServer('http://127.0.0.1', serverTimes, 3);
  server.on('request', (_, response) => response.end('good'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const open = async (localAddress: string) => {
    const accepted = once(server, 'connection');
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
    sockets.push(socket);
    await accepted;
    return socket;
  };
  const ask = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer).startsWith('HTTP/1.1 200');
  };
  const crowd = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
  const [oldest, ...others] = crowd;
  const closed = once(oldest ?? assert.fail(), 'close');
  const other = await open('127.0.0.2');
  await closed;
  assert.equal(await ask(other), true);
  for (const socket of others) assert.equal(await ask(socket), true);
  const next = once(others[0] ?? assert.fail(), 'close');
  await open('127.0.0.1');
  await next;
  assert.equal(await ask(other), true, 'who has fewer loses nothing');
});
