// How long the service waits for clients that hold a connection without using it. The real times are a minute each.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { openSocket } from '../helpers/faults/hostile-sockets.ts';
import { uploadSound } from '../helpers/faults/lives.ts';
import { newPhone, signIn } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';

const milliseconds = 1000;

describe('the time-outs of the service', () => {
  const times = { server: { stalledMilliseconds: milliseconds }, upload: { paceMilliseconds: milliseconds } };
  const stage = setStage('sqlite', {}, { times });
  const bearer = async () => (await signIn(stage.url, newPhone())).JWT;

  it('a reader that takes no bytes is disconnected, and not before its time', async (test) => {
    const token = await bearer();
    const { body } = await uploadSound(stage.url, token, 'large', 16 * 2 ** 20);
    const head = `GET /file/${body.data.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const accepted = once(stage.service.server.server, 'connection') as Promise<[Socket]>;
    const begin = performance.now();
    const socket = await openSocket(stage.url, head);
    test.after(() => socket.destroy());
    const [connection] = await accepted;
    await once(connection, 'close');
    assert.ok(connection.bytesWritten > 0);
    assert.ok(performance.now() - begin > milliseconds * 0.9);
  });

  it('an upload that drips is refused, and not before its time', async (test) => {
    const token = await bearer();
    const head = `POST /api/file/upload?purpose=audio HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const begin = performance.now();
    const socket = await openSocket(stage.url, `${head}Content-Type: audio/wav\r\nContent-Length: 1000000\r\n\r\n`);
    const drip = setInterval(() => socket.write('x'), milliseconds / 20);
    test.after(() => {
      clearInterval(drip);
      socket.destroy();
    });
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"/s);
    assert.ok(performance.now() - begin > milliseconds * 0.9);
  });
});
