// How long the service waits for clients that hold a connection without using it. It takes minutes, so only in the long form.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPhone, signIn } from '../helpers/api.ts';
import { openSocket } from '../helpers/faults/hostile-sockets.ts';
import { upload } from '../helpers/faults/lives.ts';
import { factor } from '../helpers/faults/rounds.ts';
import { setStage } from '../helpers/stage.ts';

const skip = factor === 1 && 'takes minutes: npm run faults';

describe('the time-outs of the service', { skip, concurrency: true }, () => {
  const stage = setStage('sqlite');
  const bearer = async () => (await signIn(stage.url, newPhone())).JWT;

  it('a reader that takes no bytes for a minute is disconnected', async (test) => {
    const token = await bearer();
    const { body } = await upload(stage.url, token, 'large', 16 * 2 ** 20);
    const head = `GET /file/${body.data.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = await openSocket(stage.url, head);
    test.after(() => socket.destroy());
    const count = () =>
      new Promise<number>((resolve) => stage.app.server.server.getConnections((_error, open) => resolve(open)));
    await sleep(1000);
    const before = await count();
    let seconds = 1;
    for (; seconds < 150 && (await count()) >= before; seconds++) await sleep(1000);
    assert.ok(seconds >= 55 && seconds < 130, `${seconds} s`);
    test.diagnostic(`a reader that takes no bytes is disconnected after ${seconds} s`);
  });

  it('an upload of one byte a second is refused after a minute', async (test) => {
    const token = await bearer();
    const head = `POST /api/file/upload?purpose=audio HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const socket = await openSocket(stage.url, `${head}Content-Type: audio/wav\r\nContent-Length: 1000000\r\n\r\n`);
    const drip = setInterval(() => socket.write('x'), 1000);
    test.after(() => {
      clearInterval(drip);
      socket.destroy();
    });
    const begin = performance.now();
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const seconds = Math.round((performance.now() - begin) / 1000);
    assert.match(answer.toString(), /^HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"/s);
    assert.ok(seconds >= 55 && seconds < 70, `${seconds} s`);
    test.diagnostic(`an upload of a byte a second is refused after ${seconds} s`);
  });
});
