// Real curl gets the exact bytes of a file however it is served: from disk, from S3, by redirect, and through a real nginx.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { type FrontProxy, hasNginx, startNginx } from '../../helpers/proxies/nginx.ts';
import { newPhone, readEnvelope, signIn } from '../../helpers/requests/api.ts';
import { curl, hasCurl } from '../../helpers/requests/curl.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

type Way = {
  readonly name: string;
  readonly delivery: string;
  readonly storage: 'disk' | 's3';
  readonly by?: 'cookie';
  readonly query?: string;
  readonly redirects: 0 | 1;
  readonly nginx?: true;
};

const ways: readonly Way[] = [
  { name: 'streamed from disk', delivery: 'auto', storage: 'disk', redirects: 0 },
  { name: 'streamed from S3 to a bearer', delivery: 'auto', storage: 's3', redirects: 0 },
  { name: 'with a cookie, redirected to S3', delivery: 'auto', storage: 's3', by: 'cookie', redirects: 1 },
  {
    name: 'with a bearer and redirect=1, redirected to S3',
    delivery: 'auto',
    storage: 's3',
    query: '?redirect=1',
    redirects: 1,
  },
  { name: 'with FILE_DELIVERY=redirect, redirected to S3', delivery: 'redirect', storage: 's3', redirects: 1 },
  {
    name: 'with FILE_DELIVERY=stream, streamed from S3',
    delivery: 'stream',
    storage: 's3',
    by: 'cookie',
    redirects: 0,
  },
  {
    name: 'with FILE_DELIVERY=redirect but no S3, streamed from disk',
    delivery: 'redirect',
    storage: 'disk',
    redirects: 0,
  },
  { name: 'sent by nginx from disk', delivery: 'accel', storage: 'disk', redirects: 0, nginx: true },
  { name: 'streamed from S3 through nginx', delivery: 'accel', storage: 's3', redirects: 0, nginx: true },
];

const isMissing = { curl: !hasCurl(), nginx: !hasNginx() };
if (isMissing.curl) console.log('skipped: curl is not installed, so file serving is not tested');
if (isMissing.nginx) console.log('skipped: nginx is not installed, so file serving through nginx is not tested');

/** A small file is sent in one piece, a large one by the pump. */
const files = [4_000, 3_000_000].map((size) => randomFillSync(wavFile(size), 44));

for (const way of ways) {
  describe(`a file ${way.name}`, { skip: isMissing.curl || (way.nginx && isMissing.nginx) }, () => {
    let s3: S3Server | undefined;
    let nginx: FrontProxy | undefined;
    let service: Gatehouse;
    let dispose: () => Promise<void>;
    let token: string;
    let trust: readonly string[];
    let proof: readonly string[];
    const addresses: string[] = [];
    before(async () => {
      s3 = way.storage === 's3' ? await startS3Server() : undefined;
      const storage = s3 === undefined ? {} : { STORAGE_URL: s3.url() };
      const isolated = await isolatedEnv('sqlite', {
        FILE_DELIVERY: way.delivery,
        TRUSTED_PROXIES: '127.0.0.1',
        ...storage,
      });
      dispose = isolated.dispose;
      service = await startGatehouse(isolated.env);
      const { PORT = '', DATA_DIR = '' } = isolated.env;
      if (way.nginx) nginx = await startNginx(PORT, join(DATA_DIR, 'files'));
      token = (await signIn(service.url, newPhone())).JWT;
      trust = nginx === undefined ? [] : ['--cacert', nginx.certificatePath];
      proof = [...trust, ...(way.by === 'cookie' ? ['-b', `JWT=${token}`] : ['-H', `Authorization: Bearer ${token}`])];
      const origin = nginx?.url ?? `http://localhost:${PORT}`;
      for (const bytes of files) {
        const { id } = await storeFile(service.url, {
          token,
          purpose: 'audio',
          name: 'noise.wav',
          type: 'audio/wav',
          bytes,
        });
        addresses.push(`${origin}/file/${id}${way.query ?? ''}`);
      }
    });
    after(async () => {
      await nginx?.stop();
      await service.stop();
      await s3?.stop();
      await dispose();
    });

    const each = async (look: (address: string, bytes: Buffer) => Promise<void>) => {
      for (const [index, bytes] of files.entries()) await look(addresses[index] ?? '', bytes);
    };

    it(`a file ${way.name} has every byte`, () =>
      each(async (address, bytes) => {
        const { status, redirects, headers, body } = await curl(...proof, address);
        assert.deepEqual([status, redirects], [200, way.redirects]);
        assert.equal(headers['content-type'], 'audio/wav');
        assert.equal(headers['content-length'], String(bytes.length));
        assert.match(headers['content-disposition'] ?? '', /^inline; filename="?noise\.wav"?$/);
        assert.ok(body.equals(bytes));
      }));

    it(`a file ${way.name} has any range, and a broken transfer continues`, () =>
      each(async (address, bytes) => {
        for (const [args, expected] of [
          [['-r', '100-1099'], bytes.subarray(100, 1_100)],
          [['-r', '-10'], bytes.subarray(-10)],
          [['-C', '1000'], bytes.subarray(1_000)],
        ] as const) {
          const { status, redirects, headers, body } = await curl(...proof, ...args, address);
          assert.deepEqual([status, redirects], [206, way.redirects]);
          assert.match(headers['content-range'] ?? '', new RegExp(`^bytes \\d+-\\d+/${bytes.length}$`));
          assert.ok(body.equals(expected), args.join(' '));
        }
      }));

    it(`a file ${way.name} answers HEAD without a redirect`, () =>
      each(async (address, bytes) => {
        const { status, redirects, headers } = await curl(...proof, '-I', address);
        assert.deepEqual([status, redirects], [200, 0]);
        assert.equal(headers['content-length'], String(bytes.length));
        assert.equal(headers['content-type'], 'audio/wav');
      }));

    it(`a file ${way.name} honours its ETag`, () =>
      each(async (address) => {
        const { headers } = await curl(...proof, '-I', address);
        const etag = headers.etag ?? assert.fail('no tag');
        assert.equal((await curl(...proof, '-H', `If-None-Match: ${etag}`, address)).status, 304);
        assert.equal((await curl(...proof, '-H', 'If-Match: "other"', address)).status, 412);
        assert.equal((await curl(...proof, '-H', `If-Match: ${etag}`, address)).status, 200);
      }));

    it(`a file ${way.name} is refused in the envelope`, async () => {
      const [address = ''] = addresses;
      const outside = await curl(...proof, '-r', '999999999-', address);
      assert.equal(outside.status, 416);
      assert.equal(readEnvelope(outside.body.toString()).codeError, 'RANGE_NOT_SATISFIABLE');
      const nobody = await curl(...trust, address);
      assert.equal(nobody.status, 401);
      assert.equal(readEnvelope(nobody.body.toString()).success, false);
    });
  });
}
