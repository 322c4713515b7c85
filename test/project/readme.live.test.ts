// Keeps the README correct: runs its curl walkthrough as written against a fresh service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readEnvelope } from '../helpers/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse } from '../helpers/gatehouse.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  let service: GatehouseProcess;
  let dispose: () => Promise<void>;
  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    service = await spawnGatehouse(isolated.env);
  });
  after(async () => {
    await service.stop();
    await dispose();
  });

  it('the curl walkthrough of the README works as it is pasted', walk);

  it('the curl walkthrough of the README works a second time', async () => {
    // The walkthrough names its user by the second.
    await sleep(1000 - (Date.now() % 1000));
    await walk();
  });

  async function walk(): Promise<void> {
    const commands = /<!-- walk: begin -->\n```sh\n(.*?)```\n<!-- walk: end -->/s.exec(readme)?.[1];
    assert.ok(commands);
    const { stdout } = await run('bash', [
      '-euo',
      'pipefail',
      '-c',
      commands.replace('http://localhost:8080', service.url),
    ]);
    const envelopes = stdout
      .split('\n')
      .filter((line) => line.startsWith('{"success"'))
      .map(readEnvelope);
    assert.equal(envelopes.length, 18, stdout);
    assert.ok(
      envelopes.every((envelope) => envelope.success),
      stdout,
    );
    assert.match(stdout, /^name,age\nann,41$/m);
    assert.match(stdout, /"kty":"EC"/);
    assert.match(stdout, /"openapi": "3.1.0"/);
    assert.match(stdout, /ok\nok\n$/);
  }

  it('the README names the two commands', () => {
    assert.match(readme, /```sh\nnpm ci && npm start\n```/);
    assert.match(readme, /```sh\nnpm ci && npm test\n```/);
  });
});
