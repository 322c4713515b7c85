// Files of a service whose storage fails or refuses, and whose clients stall: what an upload and a download answer.
import assert from 'node:assert/strict';
import { globSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readEnvelope } from '../../../helpers/api.ts';
import { createTestClock, type Gatehouse, isolatedEnv, startGatehouse } from '../../../helpers/gatehouse.ts';
import { request, sendRaw } from '../../../helpers/raw-request.ts';
import { type S3Server, startS3Server } from '../../../helpers/s3-server.ts';
import { textFile } from '../../../helpers/sample-files.ts';
import { setStage } from '../../../helpers/stage.ts';
import { enter } from '../../../helpers/users.ts';

async function upload(url: string, token: string) {
  const response = await fetch(`${url}/api/file/upload?purpose=document`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: new Uint8Array(textFile),
  });
  const { codeError, data } = readEnvelope(await response.text());
  return { status: response.status, codeError, id: data?.id as string };
}

describe('files on a disk', () => {
  const stage = setStage('sqlite');

  it('a file whose bytes are lost answers that the storage is unavailable, and not half a file', async () => {
    const { JWT } = await enter(stage.url);
    const { id } = await upload(stage.url, JWT);
    for (const path of globSync(`${stage.env.DATA_DIR}/files/**/${id}*`)) rmSync(path);
    const response = await fetch(`${stage.url}/file/${id}`, { headers: { authorization: `Bearer ${JWT}` } });
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
    const { id } = await upload(stage.url, JWT);
    const get = (headers: Record<string, string>) => fetch(`${stage.url}/file/${id}`, { redirect: 'manual', headers });
    const redirect = await get({ cookie: `JWT=${JWT}` });
    assert.equal(redirect.status, 302);
    const bytes = await fetch(redirect.headers.get('location') ?? '');
    assert.deepEqual(Buffer.from(await bytes.arrayBuffer()), textFile);
    const direct = await get({ authorization: `Bearer ${JWT}` });
    assert.deepEqual([direct.status, Buffer.from(await direct.arrayBuffer())], [200, textFile]);
  });

  it('an upload to a full bucket answers that the storage is full', async () => {
    const { JWT } = await enter(stage.url);
    server.faults.add('PUT', { kind: 'status', status: 403, code: 'QuotaExceeded' }, 1);
    const { status, codeError } = await upload(stage.url, JWT);
    assert.deepEqual([status, codeError], [507, 'STORAGE_FULL']);
    assert.equal((await upload(stage.url, JWT)).status, 201);
  });
});

describe('uploads that stall', () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  before(async () => {
    const isolated = await isolatedEnv('sqlite', {}, 'migrated');
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env, createTestClock(), { times: { upload: { idleMilliseconds: 1 } } });
  });
  after(async () => {
    await service.stop();
    await dispose();
  });

  it('an upload that sends no byte for too long is refused', async () => {
    const { JWT } = await enter(service.url);
    const headers = [`Authorization: Bearer ${JWT}`, 'Content-Type: text/csv', 'Content-Length: 100'];
    const [reply] = await sendRaw(service.url, request('POST /api/file/upload?purpose=document', headers));
    assert.equal(reply?.status, 408);
    assert.equal(readEnvelope(reply?.body ?? '').codeError, 'REQUEST_TIMEOUT');
  });
});
