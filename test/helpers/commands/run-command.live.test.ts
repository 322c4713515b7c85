// The process that runs commands for tests reports what a process of their own would.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isolatedEnv, type TestEnv } from '../services/gatehouse.ts';
import { runCommand } from './run-command.ts';

describe('a command of a test', () => {
  let env: TestEnv;
  let dispose: () => Promise<void>;
  before(async () => {
    ({ env, dispose } = await isolatedEnv('sqlite'));
    assert.equal((await runCommand(['migrate', 'up'], env)).code, 0);
  });
  after(() => dispose());

  // The first run of a command has a process of its own, the second does not.
  const cases: readonly [what: string, words: string, code: number, more?: TestEnv][] = [
    ['prints data', 'migrate status --json', 0],
    ['prints much', 'config docs', 0],
    ['finds nothing', 'users find +4915112345678', 1],
    ['has an unknown option', 'users show --loud', 2],
    ['is explained', 'users delete --help', 0],
    ['has wrong settings', 'files list', 78, { PORT: 'x' }],
    ['shows a stack', 'users block nobody --reason x', 2, { LOG_LEVEL: 'debug' }],
  ];
  for (const [what, words, code, more] of cases) {
    it(`that ${what} ends alike in a process of its own and in one that runs many`, async () => {
      const args = words.split(' ');
      const settings = { ...env, ...more };
      const alone = await runCommand(args, settings);
      assert.equal(alone.code, code, alone.stderr);
      const { stderr, ...rest } = await runCommand(args, settings);
      assert.deepEqual(rest, { code, stdout: alone.stdout });
      // The lines of a stack name places in files that were loaded in another way.
      const sentences = (text: string) => text.split('\n').filter((line) => !/^\s+at /.test(line));
      assert.deepEqual(sentences(stderr), sentences(alone.stderr));
    });
  }

  it('has the settings of its own call', async () => {
    assert.equal((await runCommand(['files', 'list'], { ...env, PORT: 'x' })).code, 78);
    assert.equal((await runCommand(['files', 'list'], env)).code, 0);
  });

  it('has a process of its own while another runs', async () => {
    const words = ['secret', 'generate'];
    const made = await Promise.all([words, words, words, words].map((args) => runCommand(args, {})));
    const again = await Promise.all([runCommand(words, {}), runCommand(words, {})]);
    const all = [...made, ...again];
    assert.deepEqual(new Set(all.map(({ code }) => code)), new Set([0]));
    assert.equal(new Set(all.map(({ stdout }) => stdout)).size, all.length);
  });
});
