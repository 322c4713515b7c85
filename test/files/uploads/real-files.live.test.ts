// The kept set of real files, uploaded to a running service: each is accepted, and stored as its table says.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { keptFiles, keptFolder, keptSecrets, readKept } from '../real-files/kept-set.ts';

describe('the kept set of real files', () => {
  const stage = setStage('sqlite', { LIMIT_UPLOADS_PER_USER: 'off' });
  let authorization: string;

  before(async () => {
    authorization = `Bearer ${(await signIn(stage.url, newPhone())).JWT}`;
  });

  for (const { name, declared, type, stored } of keptFiles) {
    it(`a file as ${name} is taken as ${type} and stored ${stored}`, async () => {
      const bytes = readKept(name);
      const reply = await fetch(`${stage.url}/api/file/upload?purpose=attachment&name=${name}`, {
        method: 'POST',
        headers: { authorization, 'content-type': declared },
        body: new Uint8Array(bytes),
      });
      const { data, message } = (await reply.json()) as { data: { type: string; url: string } | null; message: string };
      assert.equal(reply.status, 201, message);
      assert.ok(data);
      assert.equal(data.type, type);
      const got = await fetch(`${stage.url}${data.url}`, { headers: { authorization } });
      checkStored(bytes, Buffer.from(await got.arrayBuffer()), stored);
    });
  }

  it('every file of the kept set is in the table', () =>
    assert.deepEqual(keptFiles.map(({ name }) => name).toSorted(), readdirSync(keptFolder).toSorted()));
});

function checkStored(sent: Buffer, kept: Buffer, stored: (typeof keptFiles)[number]['stored']): void {
  switch (stored) {
    case 'as sent':
      assert.deepEqual(kept, sent);
      return;
    case 'without metadata':
      assert.ok(sent.includes('Secret'), 'the file that is sent has metadata');
      assert.deepEqual(secretsIn(kept), []);
      return;
    case 'cut':
      assert.equal(kept.toString('hex', kept.length - 2), 'ffd9');
      assert.ok(kept.length < sent.length);
      assert.deepEqual(secretsIn(kept), []);
  }
}

function secretsIn(bytes: Buffer): string[] {
  return keptSecrets.filter((secret) => bytes.includes(secret));
}
