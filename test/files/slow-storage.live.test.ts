// Disks and storages that hang during an upload: the answer arrives in time, nothing is left behind, and a reported failure stays one.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { BlobStore, Spool } from '../../src/files/blob-store.ts';
import type { FileDeps } from '../../src/files/deps.ts';
import type { Examiner } from '../../src/files/examiner.ts';
import { builtInPurposes } from '../../src/files/purpose.ts';
import { createSpoolBudget } from '../../src/files/spool-budget.ts';
import type { FileStore } from '../../src/files/stored-file.ts';
import { uploadFile } from '../../src/files/upload-file.ts';
import { uploadTimes } from '../../src/files/upload-times.ts';
import { newPhone, readEnvelope, signIn } from '../helpers/api.ts';
import { openSocket } from '../helpers/faults/hostile-sockets.ts';
import { type Gatehouse, isolatedEnv, startGatehouse, type TestEnv } from '../helpers/gatehouse.ts';
import { askStore } from '../helpers/raw-store.ts';
import { type S3Server, startS3Server } from '../helpers/s3-server.ts';
import { pngFile } from '../helpers/sample-files.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const never = new Promise<never>(() => undefined);

type Parts = {
  spool?: Partial<Spool>;
  blobs?: Partial<BlobStore>;
  files?: Partial<FileStore>;
  examiner?: Partial<Examiner>;
};

/** An upload of a small picture with scripted parts. Records what happened to it. */
function stageUpload(changes: Parts, milliseconds = 60_000) {
  const seen: string[] = [];
  const note =
    <T>(word: string, value: T) =>
    async () => {
      seen.push(word);
      return value;
    };
  const bytes = pngFile();
  const spool = {
    size: bytes.length,
    write: note('written', undefined),
    path: '/nowhere',
    discard: note('discarded', undefined),
    ...changes.spool,
  };
  const blobs = {
    spool: async () => spool,
    keep: note('kept', undefined),
    remove: note('removed', undefined),
    ...changes.blobs,
  };
  const files = {
    reserve: note('reserved', { kind: 'reserved' }),
    settle: note('settled', { kind: 'stored' }),
    release: note('released', undefined),
    ...changes.files,
  };
  const examiner = {
    admit: () => undefined,
    examine: note('examined', { examined: { type: 'image/png' }, kept: { size: 1, sha256: '' } }),
    ...changes.examiner,
  };
  const deps = {
    examiner,
    clock: { now: () => 0 },
    files,
    blobs,
    purposes: builtInPurposes,
    quota: { bytes: 2 ** 30, files: 10 },
    spoolBudget: createSpoolBudget(0),
    uploadTimes: {
      ...uploadTimes,
      stepMilliseconds: milliseconds,
      keepMilliseconds: milliseconds,
      releaseMilliseconds: 40,
    },
    log: {},
  } as unknown as FileDeps;
  const client = new AbortController();
  const outcome = uploadFile(deps, {
    userId: 'ann',
    purpose: 'image',
    bodyLength: undefined,
    isBare: true,
    idempotencyKey: undefined,
    digest: undefined,
    signal: client.signal,
    parts: async function* () {
      const content = async function* () {
        yield Buffer.from('abc');
      };
      yield { kind: 'file', name: undefined, type: undefined, bytes: content() } as const;
    },
  }).then(
    () => 'stored',
    (error: { code: string }) => error.code,
  );
  return { outcome, seen, leave: () => client.abort() };
}

describe('an upload whose parts hang', () => {
  it('an upload is stored if no part hangs', async () => {
    const { outcome, seen } = stageUpload({});
    assert.equal(await outcome, 'stored');
    assert.deepEqual(seen, ['reserved', 'written', 'examined', 'kept', 'settled', 'discarded']);
  });

  const hanging: Readonly<Record<string, Parts>> = {
    'opening the spool': { blobs: { spool: () => never } },
    'writing to it': { spool: { write: () => never } },
    'proving it': { examiner: { examine: () => never } },
    'storing it': { blobs: { keep: () => never } },
    'closing it': { spool: { write: () => never, discard: () => never } },
  };
  for (const [step, changes] of Object.entries(hanging)) {
    it(`an upload that hangs is refused in time and releases its reservation: ${step}`, async () => {
      const { outcome, seen } = stageUpload(changes, 40);
      assert.equal(await outcome, 'STORAGE_UNAVAILABLE');
      assert.ok(seen.includes('released') && !seen.includes('settled'), seen.join());
    });

    it(`an upload that hangs ends at once when its client disconnects: ${step}`, async () => {
      const { outcome, seen, leave } = stageUpload(changes);
      for (let round = 0; round < 5; round++) await turn();
      leave();
      assert.equal(await outcome, 'FILE_INCOMPLETE');
      assert.ok(seen.includes('released') && !seen.includes('settled'), seen.join());
    });
  }

  it('a blob stored after its upload was reported as failed is removed and never recorded', async () => {
    const late = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const keep = () => {
      asked.resolve();
      return late.promise;
    };
    const { outcome, seen, leave } = stageUpload({ blobs: { keep } });
    await asked.promise;
    leave();
    assert.equal(await outcome, 'FILE_INCOMPLETE');
    late.resolve();
    for (let round = 0; round < 5; round++) await turn();
    assert.ok(seen.includes('removed') && !seen.includes('settled'), seen.join());
  });

  it('a spool that opens after its upload was reported as failed is discarded', async () => {
    const late = Promise.withResolvers<Spool>();
    const { outcome, seen } = stageUpload({ blobs: { spool: () => late.promise } }, 40);
    assert.equal(await outcome, 'STORAGE_UNAVAILABLE');
    late.resolve({ discard: async () => void seen.push('late one discarded') } as unknown as Spool);
    for (let round = 0; round < 5; round++) await turn();
    assert.ok(seen.includes('late one discarded'), seen.join());
  });

  it('an upload is not answered before the store has decided, once it was asked', async () => {
    const decided = Promise.withResolvers<{ kind: 'stored' }>();
    const asked = Promise.withResolvers<void>();
    const settle = () => {
      asked.resolve();
      return decided.promise;
    };
    const { outcome, leave } = stageUpload({ files: { settle } });
    await asked.promise;
    leave();
    decided.resolve({ kind: 'stored' });
    assert.equal(await outcome, 'stored');
  });
});

describe('an upload to an S3 that is slower than proxies wait', () => {
  let server: S3Server;
  let service: Gatehouse;
  let env: TestEnv;
  let dispose: () => Promise<void>;
  let token: string;
  before(async () => {
    server = await startS3Server();
    ({ env, dispose } = await isolatedEnv('sqlite', { STORAGE_URL: server.url(), LIMIT_UPLOADS_PER_USER: 'off' }));
    service = await startGatehouse(env, undefined, { uploadTimes: { keepMilliseconds: 3000 } });
    token = (await signIn(service.url, newPhone())).JWT;
  });
  afterEach(() => server.faults.clear());
  after(async () => {
    await service?.stop();
    await server?.stop();
    await dispose?.();
  });
  const headers = (key: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'image/png',
    'idempotency-key': key,
  });
  const upload = async (key: string) => {
    const options = { method: 'POST', headers: headers(key), body: new Uint8Array(pngFile()) };
    const response = await fetch(`${service.url}/api/file/upload?purpose=image`, options);
    const { codeError, data } = readEnvelope(await response.text());
    return { told: `${response.status} ${codeError}`, id: data?.id as string | undefined };
  };
  const records = async () => (await askStore(env, 'select id from files')).map(({ id }) => String(id)).toSorted();
  /** Without the mark of the storage. */
  const blobs = () => [...server.objects.keys()].filter((key) => key.startsWith('fil_')).toSorted();

  for (const kind of ['stalled request', 'mute success'] as const) {
    it(`an upload to a slow S3 is reported as failed, is not stored, and can be repeated with its key: ${kind}`, async () => {
      const key = kind.replace(' ', '-');
      const before = await records();
      server.faults.add('PUT', { kind });
      assert.equal((await upload(key)).told, '503 STORAGE_UNAVAILABLE');
      await waitUntil('no blob is left', () => blobs().length === before.length);
      assert.deepEqual(await records(), before);
      assert.deepEqual(await askStore(env, 'select id from uploads'), []);
      server.faults.clear();
      const again = await upload(key);
      assert.equal(again.told, '201 null');
      assert.deepEqual(await records(), [...before, String(again.id)].toSorted());
      assert.deepEqual(blobs(), await records());
    });
  }

  it('an upload whose answer was lost gets the first result again', async () => {
    const before = await records();
    const bytes = pngFile();
    const lines = Object.entries({ host: 'x', ...headers('lost'), 'content-length': bytes.length });
    const head = `POST /api/file/upload?purpose=image HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    const socket = await openSocket(service.url, Buffer.concat([Buffer.from(head), bytes]));
    await waitUntil('the file is stored', async () => (await records()).length > before.length);
    socket.destroy();
    const again = await upload('lost');
    assert.equal(again.told, '201 null');
    assert.deepEqual(await records(), [...before, String(again.id)].toSorted());
  });
});
