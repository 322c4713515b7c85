// Memory of uploads: how much many large files at once add to the resident memory of the service, in each request form.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

const mebibyte = 2 ** 20;
const atOnce = 30;
const goalMebibytes = 64;
/** A JSON body is read whole: thirty of them, their texts and their files. */
const jsonGoalMebibytes = 128;

describe('thirty uploads of 9 MiB at once', { skip: process.platform !== 'linux' }, () => {
  let service: GatehouseProcess;
  let dispose: () => Promise<void>;
  let token: string;
  before(async () => {
    const isolated = await isolatedEnv('sqlite', { LIMIT_UPLOADS_PER_USER: 'off', FILE_QUOTA: '4GiB' });
    dispose = isolated.dispose;
    service = await spawnGatehouse(isolated.env);
    token = (await signIn(service.url, newPhone())).JWT;
  });
  after(async () => {
    await service.stop();
    await dispose();
  });
  const resident = () => {
    const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
  };
  const sendSound = async (
    body: string | Uint8Array<ArrayBuffer> | FormData,
    headers: Record<string, string>,
    status = 201,
  ) => {
    const response = await fetch(`${service.url}/api/file/upload?purpose=audio`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body,
    });
    assert.equal(response.status, status, await response.text());
  };

  const postJson = (bytes: Buffer, status?: number) =>
    sendSound(JSON.stringify({ content: bytes.toString('base64') }), { 'content-type': 'application/json' }, status);

  const forms: Readonly<Record<string, (bytes: Buffer) => Promise<void>>> = {
    'JSON, which is refused': (bytes) => postJson(bytes, bytes.length > mebibyte ? 413 : 201),
    raw: (bytes) => sendSound(new Uint8Array(bytes), { 'content-type': 'audio/wav' }),
    multipart: (bytes) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), 'a.wav');
      return sendSound(form, {});
    },
  };
  /** The most that resident memory grows while so many files are uploaded. */
  const growthOf = async (upload: (bytes: Buffer) => Promise<void>, bytes: Buffer): Promise<number> => {
    for (let round = 0; round < 10; round++) await upload(wavFile(mebibyte));
    const warm = resident();
    let peak = warm;
    const timer = setInterval(() => {
      peak = Math.max(peak, resident());
    }, 10);
    try {
      await Promise.all(Array.from({ length: atOnce }, () => upload(bytes)));
    } finally {
      clearInterval(timer);
    }
    return Math.round(peak - warm);
  };

  for (const [name, upload] of Object.entries(forms)) {
    it(`thirty uploads of 9 MiB at once add less than 64 MiB as ${name}`, async () => {
      const growth = await growthOf(upload, wavFile(9 * mebibyte));
      assert.ok(growth < goalMebibytes, `${growth} MiB more`);
    });
  }

  it('thirty uploads of 1 MiB at once add less than 128 MiB as JSON', async () => {
    const growth = await growthOf(postJson, wavFile(mebibyte));
    assert.ok(growth < jsonGoalMebibytes, `${growth} MiB more`);
  });
});
