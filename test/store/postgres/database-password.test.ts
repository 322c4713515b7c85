// The password that is read again from the file of the database URL: which one is used while the file has none.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { passwordReader } from '../../../src/store/postgres/database-password.ts';

it('while the file is missing, empty or damaged, the last password that it had is used, and that is reported once', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-password-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'url');
  const reports: string[] = [];
  const read = passwordReader(file, (error) => reports.push(error.message));
  const write = (password: string) => writeFileSync(file, `postgres://gatehouse:${password}@db/gatehouse\n`);
  assert.equal(await read(), undefined, 'nothing was read yet');
  write('first');
  assert.equal(await read(), 'first');
  write('se%2Fcond');
  assert.equal(await read(), 'se/cond');
  reports.length = 0;
  const damages = [
    () => rmSync(file),
    () => writeFileSync(file, ''),
    () => writeFileSync(file, 'postgres://gatehouse@db/gatehouse'),
    () => write('50%zz'),
  ];
  for (const damage of damages) {
    damage();
    assert.equal(await read(), 'se/cond');
  }
  assert.equal(reports.length, 1);
  assert.match(reports[0] ?? '', /cannot be read from .*url \(ENOENT\): the last one/);
  write('third');
  assert.equal(await read(), 'third');
  writeFileSync(file, '');
  assert.equal(await read(), 'third');
  assert.equal(reports.length, 2);
  assert.doesNotMatch(reports.join(), /third|cond/);
});
