// The scripts of client/http/resume.sh and docs/files.md: curl sends a file in parts, and goes on when it was interrupted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { enter } from '../../helpers/people/users.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { uploaderAt } from '../../helpers/uploads/resumable.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

const script = new URL('../../../client/http/resume.sh', import.meta.url).pathname;
const run = promisify(execFile);

describe('an upload in parts with curl', () => {
  const stage = setStage('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-curl-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('the script resume.sh sends a file in parts, and goes on where it was interrupted', async () => {
    const { JWT } = await enter(stage.url);
    const file = join(folder, 'tone.wav');
    const wav = wavFile(1_000_000);
    writeFileSync(file, wav);
    const env = { ...process.env, TOKEN: JWT, PART: '300000' };
    // Two parts, then it is interrupted.
    await assert.rejects(run('bash', [script, stage.url, file, 'audio'], { env: { ...env, STOP_AFTER: '2' } }));
    const { stdout } = await run('bash', [script, stage.url, file, 'audio'], { env });
    assert.match(stdout, /^Going on at byte 600000\n/);
    const { data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    assert.deepEqual([data.name, data.sha256], ['tone.wav', hash('sha256', wav)]);
    const { show } = uploaderAt(stage.url, JWT);
    assert.equal((await show(`/api/file/${data.id}`)).status, 200);
  });

  it('the script of the document sends a file with an ordinary name, and shows why there is no upload', async () => {
    const { JWT } = await enter(stage.url);
    const file = join(folder, 'Grüße & my 50% tone.wav');
    writeFileSync(file, wavFile(100_000));
    const document = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8');
    const [first = '', ...rest] = (/```sh\n(.*?)```/s.exec(document)?.[1] ?? '').split('\n');
    assert.match(first, /^FILE='.*' TYPE=\S+ PURPOSE=\S+ URL=\S+$/);
    const send = async (token: string) => {
      const env = { ...process.env, FILE: file, TYPE: 'audio/wav', PURPOSE: 'audio', URL: stage.url, JWT: token };
      return run('sh', ['-c', rest.join('\n')], { env });
    };
    const { stdout } = await send(JWT);
    assert.equal(JSON.parse(stdout).data.name, 'Grüße & my 50% tone.wav');
    await assert.rejects(send('none'), ({ stderr }) => /ACCESS_TOKEN_INVALID/.test(stderr));
  });
});
