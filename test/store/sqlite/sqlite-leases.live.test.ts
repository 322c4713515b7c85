// The leases of uploads after a crash: a service that has the file of the database alone ends them at its start, another one does not.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createPorts } from '../../../src/store/ports.ts';
import { asUploadId } from '../../helpers/people/ids.ts';
import { newUser, reservation } from '../../helpers/store/file-fixtures.ts';
import { minute, noon } from '../../helpers/store/fixtures.ts';
import { creation } from '../../helpers/store/upload-fixtures.ts';

describe('leases of uploads at the start of a service on SQLite', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-leases-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  const open = async (endsLeases: boolean) => {
    const choice = { databaseUrl: undefined, databasePool: 1, dataDir, endsLeases, webhooks: { endpoints: [] } };
    const store = await openStore(choice);
    await store.migrations.up();
    return { ports: createPorts(store), close: () => store.close() };
  };

  it('nobody waits for a dead process: its uploads are free, and those in several requests keep their bytes', async () => {
    const first = await open(true);
    const userId = await newUser(first.ports, noon);
    const plain = reservation(userId, noon, { keyId: newId(), leaseUntil: noon + minute });
    const upload = creation(userId, { length: 0, keyId: newId() });
    const lease = { uploadId: upload.id, userId, finisher: 'dead', finishUntil: noon + minute, length: 0, now: noon };
    assert.equal((await first.ports.files.reserve(plain)).kind, 'reserved');
    assert.equal((await first.ports.resumables.create(upload)).kind, 'created');
    assert.equal((await first.ports.resumables.beginFinish(lease)).kind, 'begun');
    const repeat = async ({ files, resumables }: typeof first.ports) => [
      (await files.reserve({ ...plain, uploadId: asUploadId(newId()) })).kind,
      (await resumables.beginFinish({ ...lease, finisher: 'new' })).kind,
    ];

    const beside = await open(true);
    assert.deepEqual(await repeat(beside.ports), ['in progress', 'finishing'], 'the first one may still work');
    await beside.close();
    await first.close();

    const command = await open(false);
    assert.deepEqual(await repeat(command.ports), ['in progress', 'finishing'], 'a command ends nothing');
    await command.close();

    const next = await open(true);
    assert.deepEqual(await repeat(next.ports), ['reserved', 'begun']);
    await next.close();
  });
});
