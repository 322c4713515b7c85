// The settings of a command: problems shown at once, with the file that a setting is in.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeProblems, takeSettings } from '../../src/commands/load-config.ts';

describe('the problems of settings', () => {
  const port = { name: 'PORT', trouble: 'is “x”, which cannot be read', cure: 'write a number' };

  it('one problem is shown with its cure', () =>
    assert.equal(
      describeProblems([port]),
      '1 setting needs attention.\n\n  PORT is “x”, which cannot be read: write a number\n\nEvery setting is explained in .env.example.',
    ));

  it('several problems are shown together', () => {
    const text = describeProblems([port, { name: 'HOST', trouble: 'is required', cure: 'write one' }]);
    assert.match(text, /^2 settings need attention\.\n\n {2}PORT .*\n {2}HOST is required: write one\n\n/);
  });
});

describe('the environment of the process', () => {
  it('gets the settings of a file, and no other name of it', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));
    const file = join(folder, 'env');
    const before = { ...process.env };
    t.after(() => {
      rmSync(folder, { recursive: true });
      for (const name of ['BRAND_NAME', 'SECRET_FILE', 'PGAPPNAME', 'NODE_OPTIONS', 'LD_PRELOAD'])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    });
    for (const name of ['BRAND_NAME', 'SECRET_FILE', 'PGAPPNAME', 'NODE_OPTIONS', 'LD_PRELOAD'])
      delete process.env[name];
    writeFileSync(
      file,
      'BRAND_NAME=Shop\nSECRET_FILE=/s\nPGAPPNAME=x\nNODE_OPTIONS=--import=/tmp/x.js\nLD_PRELOAD=/tmp/x.so\n',
    );
    const { env } = takeSettings(file, false);
    assert.equal(env.NODE_OPTIONS, '--import=/tmp/x.js');
    const { BRAND_NAME, SECRET_FILE, PGAPPNAME, NODE_OPTIONS, LD_PRELOAD } = process.env;
    assert.deepEqual(
      [BRAND_NAME, SECRET_FILE, PGAPPNAME, NODE_OPTIONS, LD_PRELOAD],
      ['Shop', '/s', 'x', undefined, undefined],
    );
  });
});
