// The documented nginx and Caddy in front of the service: uploads pass, files leave by the proxy with every header, and the
// internal path serves no client.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { catalogueIn } from '../../src/http/interface/catalogue.ts';
import { type FrontProxy, hasNginx, startNginx } from '../helpers/proxies/nginx.ts';
import { newPhone, readEnvelope, signIn } from '../helpers/requests/api.ts';
import { curl, hasCurl } from '../helpers/requests/curl.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { wavFile } from '../helpers/uploads/sample-files.ts';
import { hasCaddy, startCaddy } from './caddy.ts';

const proxies = { nginx: { has: hasNginx, start: startNginx }, caddy: { has: hasCaddy, start: startCaddy } };

const app = 'https://app.example.com';

for (const [name, { has, start }] of Object.entries(proxies)) {
  const isMissing = !hasCurl() || !has();
  if (isMissing) console.log(`skipped: curl or ${name} is not installed, so the ${name} example is not tested`);

  describe(`${name} with its example configuration`, { skip: isMissing }, () => {
    let service: Gatehouse;
    let proxy: FrontProxy;
    let isGone = false;
    let dispose: () => Promise<void>;
    let proof: readonly string[];
    let path: string;
    let id: string;
    const bytes = randomFillSync(wavFile(5_000_000), 44);
    before(async () => {
      const isolated = await isolatedEnv('sqlite', {
        FILE_DELIVERY: 'accel',
        TRUSTED_PROXIES: '127.0.0.1',
        CORS_ORIGINS: app,
      });
      dispose = isolated.dispose;
      const { PORT = '', DATA_DIR = '' } = isolated.env;
      service = await startGatehouse(isolated.env);
      proxy = await start(PORT, join(DATA_DIR, 'files'));
      const { JWT } = await signIn(service.url, newPhone());
      proof = ['--cacert', proxy.certificatePath, '-H', `Authorization: Bearer ${JWT}`];
      path = join(DATA_DIR, 'noise.wav');
      writeFileSync(path, bytes);
    });
    after(async () => {
      await proxy?.stop();
      if (!isGone) await service?.stop();
      await dispose?.();
    });

    it(`${name} lets an upload through`, async () => {
      const form = ['-F', 'purpose=audio', '-F', `file=@${path};type=audio/wav`];
      const { status, body } = await curl(...proof, ...form, `${proxy.url}/api/file/upload`);
      assert.equal(status, 201);
      id = readEnvelope(body.toString()).data.id;
      assert.ok((await curl(...proof, `${proxy.url}/file/${id}`)).body.equals(bytes));
    });

    it(`${name} lets an upload through whose client expects interim answers`, async () => {
      const asked = [
        '-H',
        'Upload-Draft-Interop-Version: 8',
        '-H',
        'Upload-Complete: ?1',
        '-H',
        'Content-Type: audio/wav',
      ];
      const sent = ['--data-binary', `@${path}`, `${proxy.url}/api/file/upload?purpose=audio`];
      const { status, headers } = await curl(...proof, ...asked, ...sent);
      assert.deepEqual([status, headers['upload-complete']], [201, '?1']);
    });

    it(`${name} leaves the refusal of large uploads to the service`, async () => {
      writeFileSync(`${path}.large`, wavFile(26 * 1024 * 1024));
      const form = ['-F', 'purpose=audio', '-F', `file=@${path}.large;type=audio/wav`];
      const { status, body } = await curl(...proof, ...form, `${proxy.url}/api/file/upload`);
      assert.equal(status, 413);
      assert.equal(readEnvelope(body.toString()).codeError, 'FILE_TOO_LARGE');
    });

    const waysIn = {
      'a token': async () => '',
      'a link': async () => {
        const asked = [...proof, '-H', 'Content-Type: application/json', '-d', '{}'];
        const { body } = await curl(...asked, `${service.url}/api/file/${id}/links`);
        return new URL(readEnvelope(body.toString()).data.url).search;
      },
    };
    for (const [way, query] of Object.entries(waysIn))
      it(`${name} loses no header of a file that is read by ${way}`, async () => {
        const asked = [...proof, '-H', `Origin: ${app}`];
        const place = `/file/${id}${await query()}`;
        const through = (await curl(...asked, `${proxy.url}${place}`)).headers;
        const direct = (await curl(...asked, `${service.url}${place}`)).headers;
        assert.match(direct['x-accel-redirect'] ?? '', /^\/internal-files\//);
        assert.equal(through['x-accel-redirect'], undefined);
        assert.equal(through['accept-ranges'], 'bytes');
        const hopHeaders = ['connection', 'keep-alive', 'date', 'content-length', 'x-request-id', 'x-accel-redirect'];
        for (const [name, value] of Object.entries(direct))
          if (!hopHeaders.includes(name)) assert.equal(through[name], value);
        assert.match(through['content-security-policy'] ?? '', /sandbox( allow-same-origin)?$/);
        assert.equal(through['access-control-allow-origin'], app);
      });

    it(`${name} resumes a transfer only of the same file`, async () => {
      const etag = (await curl(...proof, '-I', `${proxy.url}/file/${id}`)).headers.etag ?? assert.fail();
      const ask = (tag: string) => curl(...proof, '-r', '1000-', '-H', `If-Range: ${tag}`, `${proxy.url}/file/${id}`);
      const [same, other] = [await ask(etag), await ask('"other"')];
      assert.deepEqual([same.status, other.status], [206, 200]);
      assert.ok(same.body.equals(bytes.subarray(1_000)));
      assert.ok(other.body.equals(bytes));
    });

    it(`${name} serves no file by the internal path`, async () => {
      const direct = await curl(...proof, `${service.url}/file/${id}`);
      const internal = direct.headers['x-accel-redirect'] ?? assert.fail();
      assert.equal((await curl(...proof, `${proxy.url}${internal}`)).status, 404);
    });

    it(`${name} asks the service for permission on every read`, async () => {
      const trust = ['--cacert', proxy.certificatePath];
      assert.equal((await curl(...trust, `${proxy.url}/file/${id}`)).status, 401);
      const stranger = (await signIn(service.url, newPhone())).JWT;
      const answer = await curl(...trust, '-H', `Authorization: Bearer ${stranger}`, `${proxy.url}/file/${id}`);
      assert.equal(answer.status, 404);
    });

    it(`${name} answers in the envelope while the service is down`, async () => {
      await service.stop();
      isGone = true;
      const { status, headers, body } = await curl('--cacert', proxy.certificatePath, `${proxy.url}/api/auth/me`);
      assert.equal(status, 503);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(headers['retry-after'], '1');
      const { codeError, message } = readEnvelope(body.toString());
      assert.deepEqual([codeError, message], ['SERVICE_UNAVAILABLE', catalogueIn('en').failure.SERVICE_UNAVAILABLE]);
    });
  });
}
