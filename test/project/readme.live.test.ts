// Keeps the README and the walk through the API correct: runs their commands as written against a fresh service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readEnvelope } from '../helpers/requests/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const guide = readFileSync(new URL('../../docs/start.md', import.meta.url), 'utf8');

describe('the README', () => {
  let service: GatehouseProcess;
  let env: TestEnv;
  let dispose: () => Promise<void>;
  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    ({ env, dispose } = isolated);
    service = await spawnGatehouse(isolated.env);
  });
  after(async () => {
    await service.stop();
    await dispose();
  });

  it('the ten lines of curl of the README work as they are pasted', async () => {
    const { stdout } = await paste(blockOf('ten lines', readme));
    const envelopes = readEnvelopes(stdout);
    assert.deepEqual(
      envelopes.map(({ success, data }) => [success, data?.purpose ?? null]),
      [
        [true, null],
        [true, null],
        [true, 'document'],
      ],
      stdout,
    );
  });

  it('the README has at most 120 lines', () => assert.ok(readme.split('\n').length <= 120));

  it('the walk through the API works as it is pasted', walk);

  it('the walk works a second time, and the commands for the back end of an app after it', async () => {
    const { stdout } = await paste(`${blockOf('walk')}\n${blockOf('back end')}`);
    const envelopes = readEnvelopes(stdout);
    assert.ok(
      envelopes.every((envelope) => envelope.success),
      stdout,
    );
    const [updated, first, second, ...more] = envelopes.slice(18);
    assert.deepEqual(updated?.data.claims, { plan: 'pro' }, stdout);
    assert.equal(first?.data.events.at(-1).type, 'user.updated', stdout);
    assert.deepEqual(second?.data.events, [], stdout);
    assert.deepEqual(more, []);
  });

  const blockOf = (name: string, text = guide): string =>
    new RegExp(`<!-- ${name}: begin -->\\n\`\`\`sh\\n(.*?)\`\`\`\\n<!-- ${name}: end -->`, 's').exec(text)?.[1] ??
    assert.fail(`there is no block “${name}”`);

  const paste = async (commands: string) => {
    // The commands name their user by the second.
    await sleep(1000 - (Date.now() % 1000));
    return run('bash', ['-euo', 'pipefail', '-c', commands.replace('http://localhost:8080', service.url)], {
      env: { ...process.env, ...env },
    });
  };

  const readEnvelopes = (output: string) =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{"success"'))
      .map(readEnvelope);

  async function walk(): Promise<void> {
    const { stdout } = await paste(blockOf('walk'));
    const envelopes = readEnvelopes(stdout);
    assert.equal(envelopes.length, 18, stdout);
    assert.ok(
      envelopes.every((envelope) => envelope.success),
      stdout,
    );
    assert.match(stdout, /^name,age\nann,41$/m);
    assert.match(stdout, /"kty":"EC"/);
    assert.match(stdout, /"openapi":"3.1.0"/);
    assert.match(stdout, /ok\nok\n$/);
  }

  it('the README names the two commands', () => {
    assert.match(readme, /```sh\nnpm ci && npm start\n```/);
    assert.match(readme, /```sh\nnpm ci && npm test\n```/);
  });
});
