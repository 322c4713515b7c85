// Uploads in several requests: they go on after cuts, lost answers, refusals that pass and pauses, and the file arrives once and whole.
import assert from 'node:assert/strict';
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createUploadControl } from '../../client/src/upload-control.ts';
import { uploadFile } from '../../client/src/upload-file.ts';
import type { UploadOptions } from '../../client/src/upload-options.ts';
import { type Plan, startUploadDouble } from '../helpers/client/upload-double.ts';
import { sha256Of, someBytes, tokenOf, uploadParts } from '../helpers/client/upload-parts.ts';

const mebibyte = 2 ** 20;
const file = someBytes(3.5 * mebibyte);
const whole = await sha256Of(file);

/** Starts the double, and uploads the file with a client whose waits end at once. */
async function open(t: TestContext, plan?: Plan, limit?: number) {
  const double = await startUploadDouble(plan, limit);
  t.after(double.close);
  const client = await uploadParts(double.url);
  const sent: number[] = [];
  const states: string[] = [];
  const upload = (options: Partial<UploadOptions> = {}, bytes: Blob = file) =>
    uploadFile(client.parts, bytes, {
      purpose: 'video',
      resumable: true,
      onProgress: ({ sentBytes }) => sent.push(sentBytes),
      onState: (state) => states.push(state),
      ...options,
    });
  return { ...client, double, upload, sent, states };
}

function assertMonotone(sent: readonly number[], last = file.size): void {
  assert.deepEqual(
    sent,
    [...new Set(sent)].sort((one, other) => one - other),
  );
  assert.equal(sent.at(-1), last);
}

describe('an upload in several requests', () => {
  it('an upload creates without bytes, sends slices of the announced size, and gives the record of the file', async (t) => {
    const { double, upload, sent, states, memory } = await open(t);
    assert.equal((await upload()).sha256, whole);
    assert.deepEqual(double.lines(), ['POST', 'PATCH ?0', 'PATCH ?0', 'PATCH ?0', 'PATCH ?1']);
    assert.deepEqual(
      double.seen.map(({ bytes }) => bytes / mebibyte),
      [0, 1, 1, 1, 0.5],
    );
    const { headers } = double.seen[0] ?? assert.fail();
    assert.deepEqual([headers['upload-complete'], headers['upload-length']], ['?0', String(file.size)]);
    assert.match(headers['content-disposition'] ?? '', /film\.mp4/);
    assertMonotone(sent);
    assert.deepEqual(states, ['sending', 'finishing']);
    assert.deepEqual(await memory.list(), []);
  });

  it('an upload of up to 8 MiB goes in one request unless it is told otherwise, a larger one in several', async (t) => {
    const { double, upload } = await open(t, undefined, 50_000_000);
    await upload({ resumable: 'auto' }, someBytes(8 * mebibyte)).catch(() => undefined);
    assert.deepEqual(
      double.seen.map(({ headers }) => headers['upload-complete']),
      [undefined],
    );
    await upload({ resumable: undefined }, someBytes(8 * mebibyte + 1));
    assert.deepEqual(double.lines().slice(1), ['POST', 'PATCH ?0', 'PATCH ?1']);
  });

  it('an upload sends larger slices on a fast line, up to the announced size', async (t) => {
    const { double, upload } = await open(t, undefined, 10 * mebibyte);
    await upload({}, someBytes(19 * mebibyte));
    assert.deepEqual(
      double.seen.map(({ bytes }) => bytes / mebibyte),
      [0, 8, 10, 1],
    );
  });

  it('an upload that is cut in a slice asks how much has arrived, and goes on there', async (t) => {
    const { double, upload, sent, states } = await open(t, (line, number) =>
      line === 'PATCH ?0' && number === 2 ? { cutAfter: 300_000 } : undefined,
    );
    assert.equal((await upload()).sha256, whole);
    assert.equal(double.count('GET'), 1);
    const offsets = double.seen.flatMap(({ headers }) => headers['upload-offset'] ?? []).map(Number);
    assert.deepEqual(offsets.slice(0, 3), [0, mebibyte, mebibyte + 300_000]);
    assertMonotone(sent);
    assert.deepEqual(states, ['sending', 'waiting', 'sending', 'finishing']);
  });

  it('an upload whose answer to the creation is lost is created once', async (t) => {
    const { double, upload } = await open(t, (line, number) =>
      line === 'POST' && number < 3 ? { isAnswerLost: true } : undefined,
    );
    await upload();
    assert.equal(double.count('POST'), 3);
    assert.equal(double.uploads.size, 1);
    assert.deepEqual(double.files, [whole]);
  });

  it('an upload whose last answer is lost learns the file by asking', async (t) => {
    const { double, upload } = await open(t, (line, number) =>
      line === 'PATCH ?1' && number === 1 ? { isAnswerLost: true } : undefined,
    );
    assert.equal((await upload()).sha256, whole);
    assert.deepEqual(double.files, [whole]);
    assert.equal(double.lines().at(-1), 'GET');
  });

  it('an upload whose bytes have arrived but not been stored repeats the last request without bytes', async (t) => {
    const { double, upload, states } = await open(t, (line, number) => {
      if (line === 'PATCH ?1' && number === 1) return { cutAfter: mebibyte / 2 };
      if (line === 'PATCH ?1' && number === 2)
        return { status: 409, code: 'UPLOAD_IN_PROGRESS', headers: { 'retry-after': '1' } };
      return undefined;
    });
    assert.equal((await upload()).sha256, whole);
    assert.deepEqual(
      double.seen.filter(({ line }) => line === 'PATCH ?1').map(({ bytes }) => bytes),
      [mebibyte / 2, 0, 0],
    );
    assert.deepEqual(states.slice(-2), ['waiting', 'finishing']);
  });

  it('an upload at a wrong offset goes on at the offset of the answer', async (t) => {
    const { double, upload, sent, waits } = await open(t, (line, number) =>
      line === 'PATCH ?0' && number === 3 ? { loses: 700_000 } : undefined,
    );
    assert.equal((await upload()).sha256, whole);
    assert.equal(double.count('GET'), 0);
    assert.deepEqual(waits, []);
    assertMonotone(sent);
  });

  it('an upload sends half of the bytes after 413 of a proxy and never again as many, and gives up below 1 MiB', async (t) => {
    const most = 3 * mebibyte;
    const proxy = await open(t, (_line, _number, bytes) => (bytes > most ? { status: 413 } : undefined), 50_000_000);
    await proxy.upload({}, someBytes(9 * mebibyte));
    assert.deepEqual(
      proxy.double.seen.map(({ bytes }) => bytes / mebibyte),
      [0, 8, 4, 2, 2, 2, 2, 1],
    );
    const none = await open(t, (line) => (line.startsWith('PATCH') ? { status: 413 } : undefined), 50_000_000);
    await assert.rejects(none.upload(), { code: 'NETWORK', status: 413 });
    assert.deepEqual(
      none.double.seen.map(({ bytes }) => bytes / mebibyte),
      [0, 3.5, 3.5, 2, 1],
    );
  });

  it('an upload sends less after a request that failed before its first byte arrived', async (t) => {
    const { double, upload } = await open(
      t,
      (_line, _number, bytes) => (bytes > 2 * mebibyte ? { cutAfter: 0 } : undefined),
      50_000_000,
    );
    await upload({}, someBytes(9 * mebibyte));
    const sizes = double.seen.flatMap(({ line, bytes }) => (line.startsWith('PATCH') ? bytes / mebibyte : []));
    assert.deepEqual(sizes.slice(0, 3), [8, 4, 2]);
  });

  it('an upload waits as long as the service asks, longer after each failure, and no longer than its patience', async (t) => {
    const busy = { status: 503, code: 'STORAGE_UNAVAILABLE' };
    const { upload, waits, states } = await open(t, (line, number) => {
      if (line === 'POST') return number < 4 ? busy : undefined;
      if (line === 'PATCH ?0' && number === 1)
        return { status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '7' } };
      return undefined;
    });
    await upload();
    const bounds = [
      [150, 300],
      [300, 600],
      [600, 1200],
      [7150, 7300],
    ] as const;
    assert.equal(waits.length, bounds.length);
    for (const [index, [least, most]] of bounds.entries()) {
      const each = waits[index] ?? 0;
      assert.ok(each >= least && each <= most, `wait ${index}: ${each}`);
    }
    assert.ok(states.includes('waiting'));
    const down = await open(t, () => busy);
    await assert.rejects(down.upload({ patience: 60 }), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(down.waits.every((each) => each <= 30_000));
    const waited = down.waits.reduce((sum, each) => sum + each, 0);
    assert.ok(waited > 30_000 && waited <= 60_000, `${waited}`);
    assert.equal((await down.memory.list()).length, 1, 'what may still succeed stays remembered');
  });

  it('an upload gives up after five failures of the service in a row, and at once on a refusal', async (t) => {
    const broken = await open(t, (line) =>
      line.startsWith('PATCH') ? { status: 500, code: 'INTERNAL_ERROR' } : undefined,
    );
    await assert.rejects(broken.upload(), { code: 'INTERNAL_ERROR' });
    assert.equal(broken.double.count('PATCH ?0'), 5);
    assert.equal((await broken.memory.list()).length, 1);
    for (const refusal of [
      { status: 422, code: 'FILE_CORRUPT' },
      { status: 400, code: 'REQUEST_INVALID' },
    ]) {
      const refused = await open(t, (line) => (line === 'PATCH ?1' ? refusal : undefined));
      await assert.rejects(refused.upload(), refusal);
      assert.deepEqual([refused.double.count('PATCH ?1'), refused.double.count('POST')], [1, 1]);
      assert.deepEqual(await refused.memory.list(), []);
    }
  });

  it('an upload that the service no longer knows starts again once with the same key', async (t) => {
    const { double, upload, sent } = await open(t, (line, number) => {
      if (line === 'PATCH ?0' && number === 3) return { status: 410, code: 'UPLOAD_EXPIRED' };
      return undefined;
    });
    double.onRequest(() => double.count('PATCH ?0') === 3 && double.forget());
    assert.equal((await upload()).sha256, whole);
    const keys = double.seen.flatMap(({ line, headers }) => (line === 'POST' ? headers['idempotency-key'] : []));
    assert.deepEqual(keys, [keys[0], keys[0]]);
    assertMonotone(sent);
    const lost = await open(t, (line) =>
      line.startsWith('PATCH') ? { status: 404, code: 'UPLOAD_NOT_FOUND' } : undefined,
    );
    await assert.rejects(lost.upload(), { code: 'UPLOAD_NOT_FOUND' });
    assert.equal(lost.double.count('POST'), 2);
  });

  it('an upload renews the token when it is refused', async (t) => {
    const { double, memory } = await open(t, (line, number) =>
      line === 'PATCH ?0' && number === 2 ? { status: 401, code: 'ACCESS_TOKEN_EXPIRED' } : undefined,
    );
    const pair = { JWT: tokenOf('ann'), RT: 'rt' };
    const renewals: string[] = [];
    const send: typeof fetch = async (input, init) => {
      const { url: address } = new Request(input);
      if (!address.endsWith('/refresh-token')) return fetch(input, init);
      renewals.push(address);
      return Response.json({ success: true, message: '', codeError: null, data: pair });
    };
    const { parts } = await uploadParts(double.url, { memory, fetch: send });
    assert.equal((await uploadFile(parts, file, { purpose: 'video', resumable: true })).sha256, whole);
    assert.equal(renewals.length, 1);
    assert.deepEqual(double.seen.at(-1)?.headers.authorization, `Bearer ${pair.JWT}`);
  });

  it('an upload of a file that changes while it waits says so', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-changed-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'film.mp4');
    writeFileSync(path, new Uint8Array(await file.arrayBuffer()));
    const { double, upload } = await open(t);
    const blob = await openAsBlob(path);
    double.onRequest(({ line }) => line === 'PATCH ?0' && writeFileSync(path, 'other'));
    await assert.rejects(upload({}, blob), { code: 'FILE_UNREADABLE', status: 0 });
  });

  it('an upload that is cut at any place, again and again, arrives once and whole', async (t) => {
    let seed = 7;
    const random = (most: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed % most;
    };
    const faults = [
      () => ({ cutAfter: random(1.2 * mebibyte) }),
      () => ({ isAnswerLost: true }),
      () => ({ status: 502 }),
      () => ({ status: 409, code: 'UPLOAD_IN_PROGRESS', headers: { 'retry-after': '1' } }),
      () => ({ loses: 1000 }),
    ];
    for (let round = 0; round < 8; round++) {
      const { double, upload, sent } = await open(t, () =>
        random(3) === 0 ? faults[random(faults.length)]?.() : undefined,
      );
      assert.equal((await upload()).sha256, whole);
      assert.deepEqual(double.files, [whole]);
      assertMonotone(sent);
      await double.close();
    }
  });
});

describe('pause, resume and cancel', () => {
  it('a paused upload sends nothing, and goes on where it was', async (t) => {
    const { double, upload, states } = await open(t);
    const control = createUploadControl();
    double.onRequest(({ line }) => line === 'PATCH ?0' && double.count('PATCH ?0') === 2 && control.pause());
    const stored = upload({
      control,
      onState: (state) => {
        states.push(state);
        if (state !== 'paused') return;
        assert.equal(control.isPaused, true);
        control.resume();
      },
    });
    assert.equal((await stored).sha256, whole);
    assert.deepEqual(states, ['sending', 'paused', 'sending', 'finishing']);
    assert.deepEqual(double.files, [whole]);
  });

  it('an upload in one request that is paused starts again at its resumption, with the same key', async (t) => {
    const { double, upload } = await open(t);
    const control = createUploadControl();
    control.pause();
    const stored = upload({ control, resumable: false, onState: (state) => state === 'paused' && control.resume() });
    await stored;
    assert.equal(double.count('POST'), 1);
  });

  for (const [how, start] of [
    [
      'control',
      (upload: (options: Partial<UploadOptions>) => Promise<unknown>) => {
        const control = createUploadControl();
        return { stop: control.cancel, result: upload({ control }) };
      },
    ],
    [
      'signal',
      (upload: (options: Partial<UploadOptions>) => Promise<unknown>) => {
        const abort = new AbortController();
        return { stop: () => abort.abort(), result: upload({ signal: abort.signal }) };
      },
    ],
  ] as const)
    it(`an upload that is cancelled by its ${how} is cancelled at the service and forgotten, also during its creation`, async (t) => {
      for (const during of ['POST', 'PATCH ?0']) {
        const { double, upload, memory } = await open(t);
        const { stop, result } = start(upload);
        const cancelled = new Promise<void>((resolve) =>
          double.onRequest(({ line }) => (line === during ? stop() : line === 'DELETE' && resolve())),
        );
        await assert.rejects(result, { code: 'ABORTED', status: 0 });
        await cancelled;
        assert.deepEqual(await memory.list(), []);
        assert.deepEqual(double.files, []);
      }
    });

  it('an upload is cancelled while it is paused, and while it waits', async (t) => {
    const { double, upload } = await open(t);
    const control = createUploadControl();
    control.pause();
    await assert.rejects(upload({ control, onState: () => control.cancel() }), { code: 'ABORTED' });
    assert.deepEqual(double.lines(), []);
    const { parts } = await uploadParts('http://127.0.0.1:1', {
      wait: (_, onWake) => new Promise((resolve) => onWake(resolve)),
    });
    const other = createUploadControl();
    const onState = (state: string) => state === 'waiting' && setImmediate(other.cancel);
    const waiting = uploadFile(parts, file, { purpose: 'video', resumable: true, control: other, onState });
    await assert.rejects(waiting, { code: 'ABORTED' });
  });

  it('an upload does not run twice at the same time', async (t) => {
    const { upload, double } = await open(t);
    const first = upload({ idempotencyKey: 'same' });
    await assert.rejects(upload({ idempotencyKey: 'same' }), { code: 'UPLOAD_IN_PROGRESS' });
    await first;
    assert.equal(double.files.length, 1);
  });
});
