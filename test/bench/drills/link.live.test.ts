// The link of the drills fails as it says: each state between a real client and a real server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { type Link, openLink } from '../../../bench/drills/link.ts';

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => socket.write(bytes));
});
server.listen(0, '127.0.0.1');
after(() => new Promise((resolve) => server.close(resolve)));

async function open(test: TestContext): Promise<Link> {
  if (!server.listening) await once(server, 'listening');
  const link = await openLink((server.address() as AddressInfo).port);
  test.after(link.close);
  return link;
}

async function join({ port }: Link): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function says(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

describe('a link', () => {
  it('passes bytes', async (test) => {
    assert.equal(await says(await join(await open(test)), 'a'), 'a');
  });

  it('refuses, and accepts again on the same port', async (test) => {
    const link = await open(test);
    const before = await join(link);
    assert.equal(await says(before, 'a'), 'a');
    const closed = once(before, 'close');
    await link.refuse();
    await closed;
    const [error] = await once(connect(link.port, '127.0.0.1'), 'error');
    assert.equal(error.code, 'ECONNREFUSED');
    await link.accept();
    assert.equal(await says(await join(link), 'b'), 'b');
  });

  it('hangs, and the bytes arrive afterwards', async (test) => {
    const link = await open(test);
    const socket = await join(link);
    assert.equal(await says(socket, 'a'), 'a');
    link.set('hang');
    const late = says(socket, 'b');
    const next = await join(link);
    const later = says(next, 'c');
    const first = await Promise.race([late, later, new Promise((resolve) => setImmediate(resolve, 'nothing'))]);
    assert.equal(first, 'nothing');
    link.set('open');
    assert.deepEqual(await Promise.all([late, later]), ['b', 'c']);
  });

  it('is half-open: what it knew stays dead, new connections get through afterwards', async (test) => {
    const link = await open(test);
    const before = await join(link);
    assert.equal(await says(before, 'a'), 'a');
    link.set('vanish');
    const during = says(await join(link), 'b');
    let heard = 0;
    before.on('data', () => {
      heard += 1;
    });
    before.write('c');
    assert.equal(await Promise.race([during, new Promise((resolve) => setImmediate(resolve, 'nothing'))]), 'nothing');
    link.set('open');
    assert.equal(await during, 'b');
    before.write('d');
    assert.equal(await says(await join(link), 'e'), 'e');
    assert.equal(heard, 0);
  });

  it('answers as another program, and cuts what was open', async (test) => {
    const link = await open(test);
    const before = await join(link);
    assert.equal(await says(before, 'a'), 'a');
    const closed = once(before, 'close');
    link.set({ garbage: 'hello' });
    await closed;
    const after = await join(link);
    const [bytes] = (await once(after, 'data')) as [Buffer];
    assert.equal(bytes.toString(), 'hello');
  });
});
