// What the doctor says about measured values: clocks, connections, disk space and the age of the last backup.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  failedDatabase,
  judgeBackup,
  judgeClock,
  judgeConnections,
  judgeDisk,
} from '../../../src/commands/doctor/examine-machine.ts';

const now = Date.UTC(2031, 4, 5, 12);
const hour = 3_600_000;
const gibibyte = 2 ** 30;

describe('the clock, says the doctor,', () => {
  for (const [kind, skew, at, state] of [
    ['postgres', 0, now, 'good'],
    ['postgres', 2000, now, 'good'],
    ['postgres', 2001, now, 'doubtful'],
    ['postgres', -2001, now, 'doubtful'],
    ['postgres', 30_000, now, 'doubtful'],
    ['postgres', 30_001, now, 'bad'],
    ['postgres', -30_001, now, 'bad'],
    ['sqlite', 30_001, now, 'good'],
    ['sqlite', 0, Date.UTC(2026, 0) - 1, 'bad'],
    ['postgres', 0, 0, 'bad'],
    ['sqlite', 0, Date.UTC(2026, 0), 'good'],
  ] as const) {
    it(`with ${skew} ms between two clocks on ${kind} in ${new Date(at).getUTCFullYear()} is ${state}`, () =>
      assert.equal(judgeClock(kind, skew, at).state, state));
  }
});

describe('the connections, says the doctor,', () => {
  for (const [most, pool, workers, state] of [
    [100, 16, 2, 'good'],
    [33, 16, 2, 'good'],
    [32, 16, 2, 'doubtful'],
    [10, 16, 1, 'doubtful'],
  ] as const) {
    it(`of ${workers} workers with ${pool} each, where ${most} are allowed, are ${state}`, () => {
      const finding = judgeConnections({ most, open: 5 }, pool, workers);
      assert.equal(finding.state, state);
      assert.match(finding.detail, new RegExp(`up to ${pool * workers} .*allows ${most}, 5 are open`));
    });
  }
});

describe('the disk, says the doctor,', () => {
  for (const [free, total, state] of [
    [50 * gibibyte, 100 * gibibyte, 'good'],
    [5 * gibibyte, 100 * gibibyte, 'good'],
    [5 * gibibyte - 1, 100 * gibibyte, 'doubtful'],
    [gibibyte, 2 * gibibyte, 'good'],
    [gibibyte - 1, 2 * gibibyte, 'doubtful'],
    [100 * 2 ** 20, 2 * gibibyte, 'doubtful'],
    [100 * 2 ** 20 - 1, 2 * gibibyte, 'bad'],
    [0, gibibyte, 'bad'],
  ] as const) {
    it(`with ${free} of ${total} bytes free is ${state}`, () => assert.equal(judgeDisk(free, total).state, state));
  }
});

describe('the last backup, says the doctor,', () => {
  for (const [mode, hours, state, detail] of [
    ['local', undefined, 'good', /none yet/],
    ['production', undefined, 'doubtful', /there is none/],
    ['production', 0, 'good', /0 h old/],
    ['production', 47, 'good', /47 h old/],
    ['production', 48, 'good', /2 days old/],
    ['production', 49, 'doubtful', /2 days old/],
    ['local', 500, 'good', /20 days old/],
  ] as const) {
    it(`in ${mode} of ${hours ?? 'no'} hours is ${state}`, () => {
      const finding = judgeBackup(
        { mode, backupKey: undefined },
        hours === undefined ? undefined : now - hours * hour,
        now,
      );
      assert.equal(finding.state, state);
      assert.match(finding.detail, detail);
    });
  }

  it('says whether backups have a MAC', () => {
    const detailWith = (backupKey: string | undefined) =>
      judgeBackup({ mode: 'production', backupKey }, now, now).detail;
    assert.match(detailWith('k'.repeat(32)), /backups have a MAC/);
    assert.match(detailWith(undefined), /without BACKUP_KEY, backups have no MAC/);
  });
});

describe('a database that cannot be used, says the doctor,', () => {
  it('is explained by its cause, without a password', () => {
    const error = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const finding = failedDatabase('postgres://ann:hunter2@db/x', error);
    assert.equal(finding.state, 'bad');
    assert.match(finding.detail, /PostgreSQL at db:5432: the connection was refused/);
    assert.doesNotMatch(JSON.stringify(finding), /hunter2/);
  });

  for (const [what, error, text] of [
    ['a failure by its cause', new Error('outer', { cause: new Error('the disk is full') }), 'the disk is full'],
    ['an error without words by its code', Object.assign(new Error(''), { code: 'EIO' }), 'EIO'],
    ['anything else by its text', 'broken', 'broken'],
  ] as const) {
    it(`on SQLite tells ${what}`, () =>
      assert.equal(failedDatabase(undefined, error).detail, `cannot be used: ${text}`));
  }
});
