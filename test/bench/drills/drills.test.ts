// The list of the drills: names, choice, and alerts that exist.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { choose } from '../../../bench/drills/choose.ts';
import { nameOf, parts } from '../../../bench/drills/drill.ts';
import { drills } from '../../../bench/drills/drills.ts';
import { judgeDrill } from '../../../bench/drills/judge.ts';
import { openLedger } from '../../../bench/drills/ledger.ts';
import { replaceTable, toTable } from '../../../bench/drills/table.ts';

describe('the drills', () => {
  it('each has a name of its own, and each part has one', () => {
    const names = drills.map(nameOf);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(new Set(drills.map(({ part }) => part)), new Set(parts));
  });

  it('expect only alerts that deploy/ has, with the severity critical', () => {
    const rules = readFileSync(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8').split(
      '- alert: ',
    );
    const critical = new Set(
      rules.filter((rule) => rule.includes('severity: critical')).map((rule) => rule.split('\n')[0]),
    );
    for (const { alerts = [] } of drills) for (const name of alerts) assert.ok(critical.has(name), name);
  });

  it('can be chosen by part and by name', () => {
    assert.equal(choose(drills, undefined).length, drills.length);
    assert.deepEqual(choose(drills, 'nothing, sms/hangs').map(nameOf), ['nothing/no fault', 'sms/hangs']);
    assert.throws(() => choose(drills, 'sms,moon'), /no drill moon/);
  });

  it('write their table into the page, and nothing else', () => {
    const [drill] = drills;
    assert.ok(drill);
    const row = judgeDrill({
      drill,
      beganAt: 0,
      endedAt: 1,
      ledger: openLedger(),
      arrivals: [],
      alerts: [{ name: 'Late', pendingAt: 2000, firingAt: undefined }],
      rules: [],
      lost: ['file f1', 'file f1'],
    });
    const page = readFileSync(new URL('../../../docs/drills.md', import.meta.url), 'utf8');
    const written = replaceTable(page, toTable([row], 'Here.'));
    const line =
      '| nothing/no fault |  | 0 | 0 of 0 | 0 | 2 file f1 | 0.00 s | at once | Late pending 2 s | ✖ writes |';
    assert.ok(written.includes(line), written);
    assert.equal(written.split('<!-- drills -->')[0], page.split('<!-- drills -->')[0]);
    assert.throws(() => replaceTable('no place', ''), /no place/);
  });
});
