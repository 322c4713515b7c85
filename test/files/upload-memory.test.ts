// Memory of uploads: what many large files at once add to the service's resident memory, in each request form.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { newPhone, signIn } from '../support/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse } from '../support/gatehouse.ts';
import { wavFile } from '../support/sample-files.ts';

const mebibyte = 2 ** 20;
const atOnce = 30;
const goalMebibytes = 64;

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
  const post = async (body: string | Uint8Array<ArrayBuffer> | FormData, headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/api/file/upload?purpose=audio`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body,
    });
    assert.equal(response.status, 201, await response.text());
  };

  const forms: Readonly<Record<string, (bytes: Buffer) => Promise<void>>> = {
    JSON: (bytes) =>
      post(JSON.stringify({ content: bytes.toString('base64') }), { 'content-type': 'application/json' }),
    raw: (bytes) => post(new Uint8Array(bytes), { 'content-type': 'audio/wav' }),
    multipart: (bytes) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), 'a.wav');
      return post(form, {});
    },
  };
  for (const [name, upload] of Object.entries(forms)) {
    it(`add less than 64 MiB as ${name}`, async () => {
      for (let round = 0; round < 10; round++) await upload(wavFile(mebibyte));
      const warm = resident();
      let peak = warm;
      const timer = setInterval(() => {
        peak = Math.max(peak, resident());
      }, 10);
      const bytes = wavFile(9 * mebibyte);
      await Promise.all(Array.from({ length: atOnce }, () => upload(bytes)));
      clearInterval(timer);
      const growth = Math.round(peak - warm);
      assert.ok(growth < goalMebibytes, `${growth} MiB more than ${Math.round(warm)} MiB`);
    });
  }
});
