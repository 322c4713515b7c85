// Interim responses (104) of an upload in several requests: who gets them, what they tell, and their order on a connection.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { enter } from '../../../../helpers/people/users.ts';
import { request, sendRaw } from '../../../../helpers/requests/raw-request.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { uploaderAt, uploads } from '../../../../helpers/uploads/resumable.ts';
import { wavFile } from '../../../../helpers/uploads/sample-files.ts';

const csv = 'Content-Type: text/csv';
const version = 'Upload-Draft-Interop-Version: 8';
const limit = 'max-size=26214400, max-append-size=50000000, max-age=86400';
const place = /^\/api\/file\/upload\/upl_[\w-]{22}$/;
const mebibyte = 2 ** 20;

for (const kind of tierStoreKinds)
  describe(`the progress of an upload on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: 'off', FILE_QUOTA: '40MiB' });
    let token = '';
    let user: ReturnType<typeof uploaderAt>;
    before(async () => {
      token = (await enter(stage.url)).JWT;
      user = uploaderAt(stage.url, token);
    });

    it('a client of the same version of the draft learns the address and each durable step before the answer', async () => {
      const wav = wavFile(9 * mebibyte);
      const reply = await user.create(['Upload-Complete: ?1', version], wav, '?purpose=audio');
      assert.equal(reply.outcome, `201 ${wav.length} ?1`);
      assert.ok(reply.interim.length >= 2 && reply.interim.every((status) => status === 104), String(reply.interim));
      const [first, ...steps] = reply.informed;
      assert.match(first?.location ?? '', place);
      assert.equal(first?.['upload-limit'], limit);
      assert.ok(reply.informed.every((headers) => headers['upload-draft-interop-version'] === '8'));
      const offsets = steps.map((headers) => Number(headers['upload-offset']));
      assert.deepEqual(
        offsets,
        offsets.toSorted((one, other) => one - other),
      );
      assert.ok(steps.every((headers) => !('location' in headers)));
    });

    it('a client that appends learns each durable step, and never the address again', async () => {
      const { headers } = await user.create(['Upload-Complete: ?0', 'Content-Type: audio/wav'], '', '?purpose=audio');
      const wav = wavFile(9 * mebibyte);
      const reply = await user.append(headers.location ?? '', 0, '?1', wav, [version]);
      assert.equal(reply.outcome, `201 ${wav.length} ?1`);
      assert.ok(reply.informed.length >= 1 && reply.interim.every((status) => status === 104), String(reply.interim));
      for (const step of reply.informed) assert.ok('upload-offset' in step && !('location' in step));
    });

    it('interim responses keep the order of answers on one connection, and 100 Continue follows 104', async () => {
      const headers = [`Authorization: Bearer ${token}`, 'Upload-Complete: ?0', version, csv];
      const line = `POST ${uploads}?purpose=document`;
      const first = request(line, headers, 'name,age\n');
      const replies = await sendRaw(stage.url, Buffer.concat([first, first, request('GET /livez')]), { replies: 3 });
      assert.deepEqual(
        replies.map(({ status, interim }) => [status, interim[0]]),
        [
          [201, 104],
          [201, 104],
          [200, undefined],
        ],
      );
      assert.equal(replies[0]?.informed[0]?.location, replies[0]?.headers.location);
      const [expecting] = await sendRaw(
        stage.url,
        request(line, [...headers, 'Expect: 100-continue', 'Content-Length: 5']),
        {
          goOn: async (socket) => void socket.once('data', () => socket.write('a,b\n1')),
        },
      );
      assert.deepEqual(expecting?.interim.slice(0, 2), [104, 100]);
      assert.equal(expecting?.status, 201);
    });

    it('a client of another version, or of HTTP/1.0, gets no interim response', async () => {
      for (const other of ['Upload-Draft-Interop-Version: 6', 'Upload-Draft-Interop-Version: 8.0', 'X-None: 1']) {
        const reply = await user.create(['Upload-Complete: ?0', other, csv], 'a,b\n');
        assert.deepEqual([reply.outcome, reply.interim], ['201 4 ?0', []], other);
      }
      const old = `POST ${uploads}?purpose=document HTTP/1.0\r\nAuthorization: Bearer ${token}\r\nContent-Length: 4\r\nUpload-Complete: ?0\r\n${version}\r\n\r\na,b\n`;
      const [reply] = await sendRaw(stage.url, old);
      assert.deepEqual([reply?.status, reply?.interim], [201, []]);
    });
  });
