// A client that others wrote, tus-js-client, uploads in parts by an older version of the draft, is interrupted, and goes on.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Upload, type UploadOptions } from 'tus-js-client';
import { enter } from '../../helpers/people/users.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { uploaderAt, uploads } from '../../helpers/uploads/resumable.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

/** The types of the package do not know the option yet. */
type DraftOptions = UploadOptions & { readonly protocol: 'ietf-draft-05' };

for (const kind of tierStoreKinds)
  describe(`tus-js-client on ${kind}`, () => {
    const stage = setStage(kind);
    const wav = wavFile(1_000_000);

    /** Uploads until the end, or until as many bytes are accepted as the caller wants. Gives the address of the upload. */
    const sendByTus = (token: string, given: Partial<UploadOptions>, stopAt = Number.POSITIVE_INFINITY) =>
      new Promise<string>((resolve, reject) => {
        const options: DraftOptions = {
          endpoint: `${stage.url}${uploads}?purpose=audio&name=tone.wav`,
          protocol: 'ietf-draft-05',
          chunkSize: 300_000,
          retryDelays: null,
          headers: { authorization: `Bearer ${token}` },
          onError: reject,
          onSuccess: () => resolve(running.url ?? ''),
          onChunkComplete: (_size, accepted) => {
            if (accepted < stopAt || accepted === wav.length) return;
            running.abort().then(() => resolve(running.url ?? ''), reject);
          },
          ...given,
        };
        const running = new Upload(wav, options);
        running.start();
      });

    for (const [what, given] of [
      ['with its length', {}],
      ['without its length', { uploadLengthDeferred: true }],
      ['with bytes in its first request', { uploadDataDuringCreation: true }],
    ] as const)
      it(`tus-js-client uploads a file ${what}, is interrupted, and another goes on where it stopped`, async () => {
        const { JWT } = await enter(stage.url);
        const { show } = uploaderAt(stage.url, JWT);
        const url = await sendByTus(JWT, given, 600_000);
        const { pathname } = new URL(url);
        assert.equal((await show(pathname)).outcome, '200 600000 ?0');
        assert.equal(await sendByTus(JWT, { ...given, uploadUrl: url }), url);
        const { file } = (await show(pathname)).envelope.data;
        assert.deepEqual([file.name, file.size, file.sha256], ['tone.wav', wav.length, hash('sha256', wav)]);
      });
  });
