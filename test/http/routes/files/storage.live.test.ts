// Files of a service whose storage fails or refuses, and whose clients stall: what an upload and a download answer.
import assert from 'node:assert/strict';
import { globSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type S3Server, startS3Server } from '../../../helpers/blobs/s3-server.ts';
import { fileCallers, uploadAs } from '../../../helpers/people/file-callers.ts';
import { enter } from '../../../helpers/people/users.ts';
import { readEnvelope } from '../../../helpers/requests/api.ts';
import { request, sendRaw } from '../../../helpers/requests/raw-request.ts';
import { uploadPath } from '../../../helpers/requests/upload.ts';
import { createTestClock, type Gatehouse, isolatedEnv, startGatehouse } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { textFile } from '../../../helpers/uploads/sample-files.ts';

const callers = Object.entries(fileCallers);

describe('files on a disk', () => {
  const stage = setStage('sqlite');

  for (const [who, arrive] of callers)
    it(`a file whose bytes are lost answers ${who} that the storage is unavailable, and not half a file`, async () => {
      const caller = await arrive(stage);
      const { id } = await uploadAs(stage.url, caller);
      for (const path of globSync(`${stage.env.DATA_DIR}/files/**/${id}*`)) rmSync(path);
      const headers = { authorization: `Bearer ${caller.token}` };
      const response = await fetch(`${stage.url}${caller.contentPath(id)}`, { headers });
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal(readEnvelope(await response.text()).codeError, 'STORAGE_UNAVAILABLE');
    });
});

describe('files in S3', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server();
  });
  after(() => server.stop());
  const stage = setStage('sqlite', () => ({ STORAGE_URL: server.url() }));

  it('a caller with a cookie is redirected to a short-lived URL of the file, and one with a token gets its bytes', async () => {
    const { JWT } = await enter(stage.url);
    const { contentPath } = await fileCallers['a user'](stage);
    const { id } = await uploadAs(stage.url, { token: JWT, contentPath });
    const get = (headers: Record<string, string>) => fetch(`${stage.url}/file/${id}`, { redirect: 'manual', headers });
    await expectRedirect(await get({ cookie: `JWT=${JWT}` }));
    const direct = await get({ authorization: `Bearer ${JWT}` });
    assert.deepEqual([direct.status, Buffer.from(await direct.arrayBuffer())], [200, textFile]);
  });

  it('the back end gets the bytes, or a short-lived URL if it asks for one', async () => {
    const caller = await fileCallers['the back end'](stage);
    const { id } = await uploadAs(stage.url, caller);
    const get = (query: string) =>
      fetch(`${stage.url}${caller.contentPath(id)}${query}`, {
        redirect: 'manual',
        headers: { authorization: `Bearer ${caller.token}` },
      });
    await expectRedirect(await get('?redirect=1'));
    const direct = await get('');
    assert.deepEqual([direct.status, Buffer.from(await direct.arrayBuffer())], [200, textFile]);
  });

  async function expectRedirect(redirect: Response): Promise<void> {
    assert.equal(redirect.status, 302);
    // The clock of the service stands still, and on a busy machine the URL could have expired by the time of the system.
    server.skew = stage.clock.now() - Date.now();
    const bytes = await fetch(redirect.headers.get('location') ?? '');
    assert.deepEqual(Buffer.from(await bytes.arrayBuffer()), textFile);
  }

  for (const [who, arrive] of callers)
    it(`an upload of ${who} to a full or broken bucket answers that the storage is full or unavailable`, async () => {
      const caller = await arrive(stage);
      server.faults.add('PUT', { kind: 'status', status: 403, code: 'QuotaExceeded' }, 1);
      const full = await uploadAs(stage.url, caller);
      assert.deepEqual([full.status, full.codeError], [507, 'STORAGE_FULL']);
      server.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' }, 1);
      const broken = await uploadAs(stage.url, caller);
      assert.deepEqual([broken.status, broken.codeError], [503, 'STORAGE_UNAVAILABLE']);
      assert.equal((await uploadAs(stage.url, caller)).status, 201);
    });
});

describe('files that a front proxy delivers', () => {
  const stage = setStage('sqlite', { FILE_DELIVERY: 'accel' });

  for (const [who, arrive] of callers)
    it(`the front proxy delivers a file to ${who}`, async () => {
      const caller = await arrive(stage);
      const { id } = await uploadAs(stage.url, caller);
      const headers = { authorization: `Bearer ${caller.token}` };
      const response = await fetch(`${stage.url}${caller.contentPath(id)}`, { headers });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('x-accel-redirect') ?? '', new RegExp(`^/internal-files/.*${id}`));
      await response.bytes();
    });
});

describe('uploads that stall', () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  const clock = createTestClock();
  before(async () => {
    const isolated = await isolatedEnv('sqlite', {}, 'migrated');
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env, clock, { times: { upload: { idleMilliseconds: 1 } } });
  });
  after(async () => {
    await service.stop();
    await dispose();
  });

  for (const [who, arrive] of callers)
    it(`an upload of ${who} that sends no byte for too long is refused`, async () => {
      const { token, userId } = await arrive({ ...service, clock });
      const headers = [`Authorization: Bearer ${token}`, 'Content-Type: text/csv', 'Content-Length: 100'];
      const [reply] = await sendRaw(
        service.url,
        request(`POST ${uploadPath(userId, { purpose: 'document' })}`, headers),
      );
      assert.equal(reply?.status, 408);
      assert.equal(readEnvelope(reply?.body ?? '').codeError, 'REQUEST_TIMEOUT');
    });
});
