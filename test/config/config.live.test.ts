// What an operator sees of wrong settings: all problems at once, no secret, and an exit code of its own.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { spawnMain } from '../helpers/services/gatehouse.ts';

it('configuration problems are printed together and end the program with exit code 78', async () => {
  const started = spawnMain([], { PORT: 'x', SMS_ULR: 'inbox:', SECRET: 'hunter2', DATA_DIR: '/nowhere' });
  assert.equal(await started.ended, 78);
  const { stdout, stderr } = started.output();
  assert.equal(stdout, '');
  assert.match(stderr, /3 settings need attention/);
  for (const text of ['PORT is “x”', 'SMS_ULR is not a setting: did you mean SMS_URL?', 'SECRET is too short'])
    assert.ok(stderr.includes(text), stderr);
  assert.ok(!stderr.includes('hunter2'));
});
