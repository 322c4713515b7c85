// An installation without sharp: a copy of the build with all packages but this one. Everything works but variants, and the doctor says so.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../helpers/blobs/blobs.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { enter } from '../helpers/people/users.ts';
import { readEnvelope } from '../helpers/requests/api.ts';
import { storeFile } from '../helpers/requests/upload.ts';
import { isolatedEnv, type TestEnv } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

describe('an installation without sharp', () => {
  const folder = makeFolder();
  let isolated: { env: TestEnv; dispose(): Promise<void> };
  const run = (...args: string[]) =>
    spawn(process.execPath, [join(folder, 'dist', 'gatehouse.js'), ...args], {
      env: isolated.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  before(async () => {
    for (const name of ['dist', 'package.json', 'README.md'])
      cpSync(join(project, name), join(folder, name), { recursive: true });
    const packages = readdirSync(join(project, 'node_modules')).filter((name) => name !== 'sharp' && name !== '@img');
    mkdirSync(join(folder, 'node_modules'));
    for (const name of packages) symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name));
    isolated = await isolatedEnv('sqlite');
  });
  after(() => isolated.dispose());

  it('the service keeps and serves pictures, and answers like an unknown file where a variant is asked for', async () => {
    const service = run('serve');
    try {
      const url = `http://127.0.0.1:${isolated.env.PORT}`;
      await waitUntil('the service', () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok || undefined,
          () => undefined,
        ),
      );
      const { JWT } = await enter(url);
      const headers = { authorization: `Bearer ${JWT}` };
      const picture = { purpose: 'image', type: 'image/png', bytes: pngOf(50, 50) };
      const { id } = await storeFile(url, { ...picture, token: JWT });
      for (const _ of [1, 2]) {
        const response = await fetch(`${url}/file/${id}?variant=thumb`, { headers });
        assert.deepEqual([response.status, readEnvelope(await response.text()).codeError], [404, 'FILE_NOT_FOUND']);
      }
      assert.equal((await fetch(`${url}/file/${id}`, { headers })).status, 200);
    } finally {
      service.kill();
      await once(service, 'close');
    }
  });

  it('the doctor says that sharp is not installed, and what to do', async () => {
    const doctor = run('doctor');
    const [shown] = await Promise.all([text(doctor.stdout), once(doctor, 'close')]);
    assert.match(shown, /^! variants {2}sharp is not installed.*\n +→ run npm ci without --omit=optional/m);
    assert.equal(doctor.exitCode, 0);
  });
});
