// Uploads in several requests while the storage, the scanner, the quota or the client fails, or the service stops: what is lost, and what goes on.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testFile } from '../../../../../src/adapters/scan/test-file.ts';
import { type S3Server, startS3Server } from '../../../../helpers/blobs/s3-server.ts';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { enter } from '../../../../helpers/people/users.ts';
import { checkRefusal } from '../../../../helpers/requests/raw-request.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { type FakeClamd, startFakeClamd } from '../../../../helpers/uploads/fake-clamd.ts';
import { partial, uploaderAt, uploads } from '../../../../helpers/uploads/resumable.ts';
import { textFile, wavFile } from '../../../../helpers/uploads/sample-files.ts';

for (const kind of tierStoreKinds)
  describe(`an upload in several requests amid faults on ${kind}`, () => {
    let bucket: S3Server;
    let another: S3Server;
    let clamd: FakeClamd;
    before(async () => {
      [bucket, another, clamd] = await Promise.all([startS3Server(), startS3Server(), startFakeClamd()]);
    });
    after(async () => {
      await Promise.all([bucket.stop(), another.stop(), clamd.stop()]);
    });
    const settingsOf = ({ url }: S3Server) => ({
      STORAGE_URL: url(),
      SCAN_URL: clamd.url,
      LIMIT_UPLOADS_PER_USER: 'off',
      FILE_QUOTA: '1MiB',
    });
    const server = { drainMilliseconds: 100 };
    const stage = setStage(kind, () => settingsOf(bucket), { times: { server } });
    /** Only for an append that stalls: a busy machine may take as long for any other. */
    const hasty = setStage(kind, () => settingsOf(another), {
      times: { upload: { idleMilliseconds: 1000 }, server },
    });
    let user: ReturnType<typeof uploaderAt>;
    before(async () => {
      user = uploaderAt(stage.url, (await enter(stage.url)).JWT);
    });
    const begin = async (body: string | Buffer = '', query?: string, by = user) =>
      (await by.create(['Upload-Complete: ?0'], body, query)).headers.location ?? assert.fail('no upload');

    it('a storage that is full or broken leaves an upload with its offset, and the client goes on later', async () => {
      const path = await begin();
      bucket.faults.add('PUT', { kind: 'status', status: 403, code: 'QuotaExceeded' }, 1);
      assert.equal((await user.append(path, 0, '?0', textFile)).outcome, '507 STORAGE_FULL 0 ?0');
      bucket.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' }, 1);
      const broken = await user.append(path, 0, '?0', textFile);
      assert.equal(broken.outcome, '503 STORAGE_UNAVAILABLE 0 ?0');
      assert.ok(broken.headers['retry-after']);
      assert.equal((await user.append(path, 0, '?0', textFile)).outcome, `200 ${textFile.length} ?0`);
      bucket.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' }, 1);
      const atEnd = await user.append(path, textFile.length, '?1', '');
      assert.equal(atEnd.outcome, `503 STORAGE_UNAVAILABLE ${textFile.length} ?0`);
      assert.equal((await user.append(path, textFile.length, '?1', '')).outcome, `201 ${textFile.length} ?1`);
    });

    it('a creation that fails after the upload exists tells its address', async () => {
      bucket.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' }, 1);
      const reply = await user.create(['Upload-Complete: ?1'], textFile);
      assert.match(reply.outcome, /^503 STORAGE_UNAVAILABLE \d+ \?0$/);
      const { location = '' } = reply.headers;
      assert.equal((await user.head(location)).headers['upload-offset'], reply.headers['upload-offset']);
    });

    it('an infected file ends its upload', async () => {
      const path = await begin();
      const reply = await user.append(path, 0, '?1', testFile());
      assert.deepEqual([checkRefusal(reply, 'FILE_INFECTED').success, reply.headers['upload-complete']], [false, '?1']);
      assert.equal((await user.head(path)).status, 404);
    });

    it('an upload of unknown length that exceeds the quota is refused', async () => {
      const path = await begin('', '?purpose=audio');
      const reply = await user.append(path, 0, '?0', wavFile(2 * 2 ** 20));
      assert.equal(checkRefusal(reply, 'FILE_QUOTA_EXCEEDED').success, false);
    });

    it('while another node stores the file, it is neither stored twice nor cancelled', async () => {
      const path = await begin(textFile);
      const id = path.slice(uploads.length + 1);
      const until = stage.clock.now() + 60_000;
      await askStore(stage.env, `update resumables set finisher = 'other', finish_until = ${until} where id = '${id}'`);
      const repeated = await user.append(path, textFile.length, '?1', '');
      assert.equal(repeated.outcome, `409 UPLOAD_IN_PROGRESS ${textFile.length} ?0`);
      assert.equal(repeated.headers['retry-after'], '5');
      checkRefusal(await user.cancel(path), 'UPLOAD_IN_PROGRESS');
      assert.equal((await user.head(path)).outcome, `200 ${textFile.length} ?0`);
      stage.clock.advance(61);
      assert.equal((await user.append(path, textFile.length, '?1', '')).outcome, `201 ${textFile.length} ?1`);
    });

    it('an append that stalls is refused, and what arrived is kept', async () => {
      const slow = uploaderAt(hasty.url, (await enter(hasty.url)).JWT);
      const path = await begin('', undefined, slow);
      const headers = [partial, 'Upload-Offset: 0', 'Upload-Complete: ?0'];
      const open = await slow.begin(`PATCH ${path}`, headers, 100, 'abcde');
      await open.closed;
      assert.match(open.received(), /HTTP\/1\.1 408 [\s\S]*upload-offset: 5\r\n/i);
      assert.equal((await slow.head(path)).outcome, '200 5 ?0');
    });

    it('a service that stops ends a running append with what is durable, and the next one goes on there', async () => {
      const path = await begin();
      const headers = [partial, 'Upload-Offset: 0', 'Upload-Complete: ?0'];
      const open = await user.begin(`PATCH ${path}`, headers, 100, 'abcde');
      stage.service.beginStop();
      await Promise.all([stage.service.server.close(), open.closed]);
      const shown = /HTTP\/1\.1 503 [\s\S]*upload-offset: (\d+)\r\n/i.exec(open.received())?.[1];
      assert.ok(shown === '0' || shown === '5', open.received());
      await stage.restart();
      assert.equal((await user.head(path)).outcome, `200 ${shown} ?0`);
    });
  });
