// Clients that disconnect in the middle of an upload: descriptors, sockets, spools and reservations are free again within seconds.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { openSocket } from '../../helpers/faults/hostile-sockets.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { sendRaw } from '../../helpers/requests/raw-request.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const skip = process.platform !== 'linux' && 'counts descriptors in /proc';

type Held = { readonly descriptors: number; readonly spools: number; readonly reservations: number };

function isWithin(now: Held, usual: Held): boolean {
  return (['descriptors', 'spools', 'reservations'] as const).every((name) => now[name] <= usual[name]);
}

describe('an upload whose client disconnects', { skip }, () => {
  let server: S3Server;
  let service: GatehouseProcess;
  let env: TestEnv;
  let dispose: () => Promise<void>;
  let token: string;
  let usual: Held;
  before(async () => {
    server = await startS3Server();
    const settings = { LIMIT_UPLOADS_PER_USER: 'off', LIMIT_REQUESTS_PER_IP: 'off', STORAGE_URL: server.url() };
    ({ env, dispose } = await isolatedEnv('sqlite', settings));
    service = await spawnGatehouse(env);
    token = (await signIn(service.url, newPhone())).JWT;
    // Resources that are opened once and stay: modules, examiner threads, the connection to S3 that is reused.
    const bytes = wavFile(200_000);
    const whole = Buffer.concat([Buffer.from(rawHead(bytes.length)), bytes]);
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 8 }, () => sendRaw(service.url, whole)));
    usual = await settled();
  });
  afterEach(() => server.faults.clear());
  after(async () => {
    await service?.stop('SIGKILL');
    await server?.stop();
    await dispose?.();
  });

  const rawHead = (length: number) => head(`Content-Type: audio/wav\r\nContent-Length: ${length}`);
  const head = (headers: string) =>
    `POST /api/file/upload?purpose=audio HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n\r\n`;
  /** With a key even a small upload is reserved. */
  const withKey = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace('\r\n', `\r\nIdempotency-Key: ${randomUUID()}\r\n`), 'latin1');

  /** Established connections of the service to S3. No other process has any. */
  const toS3 = () => {
    const port = Number(new URL(server.url().replace('s3:', 'http:')).port);
    const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} 01 `;
    const lines = readFileSync(`/proc/${service.child.pid}/net/tcp`, 'utf8').split('\n');
    return lines.filter((line) => line.includes(remote)).length;
  };
  /** Descriptors of the service without its reusable connections to S3; spools; and reservations. */
  const held = async (): Promise<Held> => {
    const descriptors = readdirSync(`/proc/${service.child.pid}/fd`).length - toS3();
    const rows = await askStore(env, 'select id from uploads');
    return { descriptors, spools: spools(), reservations: rows.length };
  };
  /** Waits for three equal readings, because idle connections may still be closing. */
  const settled = async (): Promise<Held> => {
    for (let seen: Held[] = []; ; await sleep(200)) {
      const now = await held();
      if (seen.length === 2 && seen.every((each) => isDeepStrictEqual(each, now))) return now;
      seen = [now, ...seen.slice(0, 1)];
    }
  };
  /** Five seconds are promised. A busy machine gets more, because leaked resources would never be freed at all. */
  const isFree = async (phase: string): Promise<void> => {
    const startedAt = performance.now();
    let now: Held;
    do {
      await sleep(100);
      now = await held();
    } while (!isWithin(now, usual) && performance.now() - startedAt < 20_000);
    assert.ok(isWithin(now, usual), `after ${phase}: ${JSON.stringify(now)}, not ${JSON.stringify(usual)}`);
  };
  /** Without the mark of the storage. */
  const blobs = () => [...server.objects.keys()].filter((key) => key.includes('fil_')).length;
  /** The folder is made when it is needed: small uploads stay in memory. */
  const spools = () => {
    const folder = join(env.DATA_DIR ?? '', 'spool');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  };

  const ways: Readonly<Record<string, (socket: Socket) => void>> = {
    'a reset': (socket) => void socket.resetAndDestroy(),
    'a close': (socket) => void socket.destroy(),
    'the end of its sending': (socket) => void socket.resume().end(),
  };
  const part = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`);
  const multipart = `multipart/form-data; boundary=${boundary}`;
  const large = 2_000_000;
  const partial: Readonly<Record<string, () => Buffer>> = {
    'the head': () => Buffer.from(rawHead(1_000_000)),
    'a part of a raw body': () => Buffer.concat([Buffer.from(rawHead(1_000_000)), Buffer.alloc(300_000)]),
    'more of a raw body than stays in memory': () =>
      Buffer.concat([Buffer.from(rawHead(3_000_000)), Buffer.alloc(large)]),
    'a part of a form': () =>
      Buffer.concat([
        Buffer.from(head(`Content-Type: ${multipart}\r\nContent-Length: 1000000`)),
        part,
        wavFile(300_000),
      ]),
    'a part of JSON': () => {
      const text = `{"purpose":"audio","content":"${'A'.repeat(300_000)}`;
      return Buffer.from(head('Content-Type: application/json\r\nContent-Length: 1000000') + text);
    },
    'one chunk of an unknown number': () => {
      const chunk = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`;
      return Buffer.from(head('Content-Type: audio/wav\r\nTransfer-Encoding: chunked') + chunk);
    },
  };

  for (const [way, leave] of Object.entries(ways)) {
    it(`an upload holds nothing after ${way}, whatever part of the body had arrived`, async () => {
      for (const [phase, bytes] of Object.entries(partial)) {
        for (const isReserved of [true, false]) {
          const before = await held();
          const sent = () => (isReserved ? withKey(bytes()) : bytes());
          const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(service.url, sent())));
          await waitUntil('the uploads have arrived', async () => {
            const now = await held();
            const files = bytes().length > large ? sockets.length : 0;
            const reservations = isReserved ? sockets.length : 0;
            return (
              now.descriptors >= before.descriptors + sockets.length &&
              now.reservations >= before.reservations + reservations &&
              now.spools === before.spools + files
            );
          });
          for (const socket of sockets) leave(socket);
          await isFree(`${phase} and ${way}`);
        }
      }
    });

    it(`an upload to S3 holds nothing after ${way} during the PUT, and the file is not stored`, async () => {
      server.faults.add('PUT', { kind: 'stalled request' });
      const stored = blobs();
      const { asked } = server;
      const bytes = wavFile(150_000);
      const whole = Buffer.concat([Buffer.from(rawHead(bytes.length)), bytes]);
      const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(service.url, whole)));
      // At least: the service may ask for something else at the same time.
      await waitUntil('S3 has been asked', () => server.asked >= asked + sockets.length);
      for (const socket of sockets) leave(socket);
      await isFree(`a PUT and ${way}`);
      assert.equal(blobs(), stored);
      assert.equal((await askStore(env, 'select id from files')).length, stored);
    });
  }

  it('form uploads whose chunks end in a false delimiter are stored and never hang', async () => {
    const delimiter = `\r\n--${boundary}`;
    for (let length = delimiter.length - 3; length < delimiter.length; length++) {
      const file = wavFile(400_000);
      for (let at = 1000; at + 100 < file.length; at += 997) file.write(delimiter.slice(0, length), at, 'latin1');
      const body = Buffer.concat([part, file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
      const first = Buffer.from(head(`Content-Type: ${multipart}\r\nContent-Length: ${body.length}`));
      const socket = await openSocket(service.url, first);
      for (let at = 0; at < body.length; at += 65_536) {
        if (!socket.write(body.subarray(at, at + 65_536))) await once(socket, 'drain');
      }
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 201 /, answer.toString());
      socket.destroy();
    }
    await isFree('forms that were stored');
  });
});
