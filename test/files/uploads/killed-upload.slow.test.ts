// Uploads and kill -9: every file answered with 201 exists, and the others leave no record, no quota and, in time, no bytes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOld } from '../../helpers/blobs/blobs.ts';
import { rounds } from '../../helpers/faults/rounds.ts';
import { call, newPhone, signIn } from '../../helpers/requests/api.ts';
import { upload } from '../../helpers/requests/upload.ts';
import { isolatedEnv, spawnGatehouse, spawnMain, storeKinds } from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

const cycles = rounds(3);
/** Written from memory, past the cache of the system from 256 KiB on; and from 1 MiB on through a spool. */
const sizes = [200_000, 600_000, 1_400_000];

for (const kind of storeKinds) {
  describe(`a service on ${kind} killed during uploads`, () => {
    it('a service killed during uploads has every file that it acknowledged and nothing of the others', async () => {
      const { env, dispose } = await isolatedEnv(kind, { LIMIT_UPLOADS_PER_USER: 'off' });
      const acknowledged = new Map<string, string>();
      let service = await spawnGatehouse(env);
      const { JWT } = await signIn(service.url, newPhone());
      for (let cycle = 0; cycle < cycles; cycle++) {
        const uploads = Array.from({ length: 8 }, (_, index) =>
          uploadAndNote(service.url, JWT, (sizes[index % sizes.length] ?? 0) + cycle * 1000 + index * 2, acknowledged),
        );
        holdOpen(service.url, JWT);
        if (cycle === 0) await Promise.race(uploads);
        await sleep(20 + Math.random() * 150);
        await service.stop('SIGKILL');
        await Promise.all(uploads);
        service = await spawnGatehouse(env);
      }
      assert.ok(acknowledged.size > 0, 'the first run lasts until an upload is acknowledged');
      for (const [id, sha256] of acknowledged) {
        const response = await fetch(`${service.url}/file/${id}`, { headers: { authorization: `Bearer ${JWT}` } });
        assert.equal(response.status, 200);
        assert.equal(
          createHash('sha256')
            .update(Buffer.from(await response.arrayBuffer()))
            .digest('hex'),
          sha256,
        );
      }
      const { body } = await call(service.url, 'GET', '/api/file?limit=100', { token: JWT });
      const quota = (await call(service.url, 'GET', '/api/file/purposes', { token: JWT })).body.data.quota;
      assert.ok(body.data.files.length >= acknowledged.size);
      assert.equal(quota.usedFiles, body.data.files.length, 'the quota counts what is listed');
      await service.stop();
      await checkAndRepair(env);
      await dispose();
    });
  });
}

async function uploadAndNote(
  url: string,
  token: string,
  size: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  const bytes = wavFile(size);
  try {
    const { status, body } = await upload(url, { token, purpose: 'audio', type: 'audio/wav', bytes });
    if (status === 201) acknowledged.set(body.data.id, createHash('sha256').update(bytes).digest('hex'));
  } catch {
    // Killed before it was acknowledged.
  }
}

/** An upload that never ends, so that one is always under way. */
function holdOpen(url: string, token: string): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = `POST /api/file/upload?purpose=audio HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}`;
  socket.write(`${head}\r\nContent-Type: audio/wav\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(1_200_000)}`);
}

/** Ages blobs and spools, so that none counts as under way any more. */
async function checkAndRepair(env: Readonly<Record<string, string>>): Promise<void> {
  const root = join(env.DATA_DIR ?? '', 'files');
  makeOld(root);
  const repaired = await run(['files', 'check', '--repair', '--yes', '--json'], env);
  assert.deepEqual(repaired.missing, [], 'no record without its blob');
  const checked = await run(['files', 'check', '--json'], env);
  assert.deepEqual([checked.missing, checked.adrift], [[], []]);
  const service = await spawnGatehouse(env);
  for (let round = 0; readdirSync(join(root, 'spool')).length > 0 && round < 600; round++) await sleep(100);
  assert.deepEqual(readdirSync(join(root, 'spool')), [], 'no spool is left behind');
  await service.stop();
}

async function run(
  args: string[],
  env: Readonly<Record<string, string>>,
): Promise<{ missing: string[]; adrift: string[] }> {
  const { output, ended } = spawnMain(args, env);
  await ended;
  return JSON.parse(output().stdout) as { missing: string[]; adrift: string[] };
}
