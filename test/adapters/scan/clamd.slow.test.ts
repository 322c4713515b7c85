// The service with a real clamd: it finds the test file, refuses what is over its limits, and is missed and used again when it restarts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { testFile } from '../../../src/adapters/scan/test-file.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { outcomeOf } from '../../helpers/people/users.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { upload } from '../../helpers/requests/upload.ts';
import { isolatedEnv } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';
import { type Clamd, hasClamd, startClamd } from './clamd.ts';

const skip = !hasClamd && 'clamd is not installed';

describe('a service with a real clamd', { skip }, () => {
  let clamd: Clamd;
  let token: string;
  before(async () => {
    clamd = await startClamd(['StreamMaxLength 2M', 'MaxFileSize 1M', 'MaxScanSize 2M']);
  });
  const stage = setStage('sqlite', () => ({ SCAN_URL: clamd.url, LIMIT_UPLOADS_PER_USER: 'off' }));
  before(async () => {
    token = (await signIn(stage.url, newPhone())).JWT;
  });
  after(() => clamd?.end());

  const send = async (bytes: Buffer, type = 'text/plain', purpose = 'document') => {
    const reply = await upload(stage.url, { token, purpose, type, bytes });
    return [outcomeOf(reply), reply.headers.get('retry-after') ?? ''].join(' ').trim();
  };
  const text = (size: number) => Buffer.alloc(size, 'plain text. ');

  it('clamd finds the test file, and lets clean files pass', async () => {
    assert.equal(await send(testFile()), '422 FILE_INFECTED');
    assert.equal(await send(text(1000)), '201');
    assert.equal(await send(wavFile(500_000), 'audio/wav', 'audio'), '201');
  });

  it('a file over the limits of clamd is not stored unscanned, however large it is', async () => {
    for (const mebibytes of [1.5, 3, 8, 24])
      assert.equal(await send(text(mebibytes * 2 ** 20)), '503 SERVICE_UNAVAILABLE 3600', `${mebibytes} MiB`);
  });

  it('many files at once are all judged', async () => {
    const files = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? testFile() : text(100_000)));
    const answers = await Promise.all(files.map((file) => send(file)));
    assert.deepEqual(
      answers,
      files.map((_, index) => (index % 2 === 0 ? '422 FILE_INFECTED' : '201')),
    );
  });

  it('uploads are refused while clamd is down, and accepted when it is back', async () => {
    await clamd.kill();
    assert.equal(await send(text(1000)), '503 SERVICE_UNAVAILABLE 5');
    await clamd.start();
    assert.equal(await send(text(1000)), '201');
    assert.equal(await send(testFile()), '422 FILE_INFECTED');
  });

  it('a clamd that is killed under load lets no test file pass', async () => {
    const uploads = Array.from({ length: 30 }, () => send(testFile()));
    await clamd.kill();
    for (const answer of await Promise.all(uploads))
      assert.match(answer, /^(?:422 FILE_INFECTED|503 SERVICE_UNAVAILABLE 5)$/);
    await clamd.start();
  });

  it('the service reaches clamd over its Unix socket', async () => {
    await stage.restart({ SCAN_URL: clamd.socketUrl });
    assert.equal(await send(testFile()), '422 FILE_INFECTED');
    assert.equal(await send(text(1000)), '201');
    await stage.restart();
  });

  it('the doctor finds the limit that is too small, and the missing date of the signatures', async () => {
    const { stdout } = await runCommand(['doctor'], { ...stage.env, SCAN_URL: clamd.socketUrl });
    assert.match(stdout, /✖ scanner {3}ClamAV [\d.]+ refuses files of 200 MiB.*\n.*set StreamMaxLength/);
    assert.match(stdout, /! scanner {3}ClamAV [\d.]+ does not say how old its signatures are/);
  });
});

describe('a clamd that is set up as documented', { skip }, () => {
  it('clamd starts with the lines of the documents, and takes a file of the largest purpose', async () => {
    const text = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8');
    const [, block = ''] = /```\nLocalSocket [^\n]*\n(.*?)```/s.exec(text) ?? [];
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('AlertExceedsMax'));
    assert.ok(lines.includes('StreamMaxLength 200M'), block);
    const clamd = await startClamd(lines);
    const { env, dispose } = await isolatedEnv('sqlite', { SCAN_URL: clamd.socketUrl });
    try {
      const { stdout } = await runCommand(['doctor'], env);
      assert.match(stdout, /scanner {3}ClamAV/);
      assert.doesNotMatch(stdout, /refuses files of/);
    } finally {
      await clamd.end();
      await dispose();
    }
  });
});
