// The list of the drills: names, choice, and alerts that exist.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { choose } from '../../../bench/drills/choose.ts';
import { type Drill, nameOf, parts } from '../../../bench/drills/drill.ts';
import { drills } from '../../../bench/drills/drills.ts';
import { judgeDrill } from '../../../bench/drills/judge.ts';
import { openLedger } from '../../../bench/drills/ledger.ts';
import type { Observation } from '../../../bench/drills/run-drill.ts';
import { mergeLines, toLine, toSummary } from '../../../bench/drills/table.ts';

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

  it('write their lines into the page, and keep those of other drills', () => {
    const seen = (drill: Drill, more: Partial<Observation> = {}) =>
      judgeDrill({
        drill,
        beganAt: 0,
        endedAt: 1000,
        ledger: openLedger(),
        arrivals: [],
        alerts: [{ name: 'GatehouseLate', pendingAt: 2000, firingAt: undefined, lastAt: 2000 }],
        rules: [],
        lost: [],
        ...more,
      });
    const [first, second] = choose(drills, 'nothing,sms/hangs');
    assert.ok(first !== undefined && second !== undefined);
    const page = readFileSync(new URL('../../../docs/evidence/drills.md', import.meta.url), 'utf8');
    const old = mergeLines(page, [toLine(seen(second), 'aaa'), toLine(seen(first), 'aaa')], drills, 'Here.');
    const now = mergeLines(old, [toLine(seen(first, { lost: ['file: 404', 'file: 404'] }), 'bbb')], drills, 'There.');
    const one =
      '| nothing/no fault |  | 0 | 0 of 0 | 0 | 2 file: 404 | 0.00 s | at once | Late pending 2 s | ✖ writes | 1 s | bbb |';
    const two = '| sms/hangs |  | 0 | 0 of 0 | 0 | 0 | 0.00 s | at once | Late pending 2 s | ✔ | 1 s | aaa |';
    assert.ok(now.includes(one) && now.includes(two) && now.indexOf(one) < now.indexOf(two), now);
    assert.ok(now.includes('There.') && !now.includes('Here.'));
    assert.equal(now.split('<!-- drills -->')[0], page.split('<!-- drills -->')[0]);
    assert.throws(() => mergeLines('', [], drills, ''), /no place/);
  });

  it('count over all lines what was kept and doubled', () => {
    const line = (doubled: string, goals: string) => `| a/b | | 0 | ${doubled} | 0 | 0 | | | | ${goals} | | |`;
    assert.equal(
      toSummary([line('1 of 100', '✔'), line('2 of 100', '✖ codes'), '| no line |']),
      '1 of 2 drills kept their goals. 3 of 200 messages arrived twice ✖.',
    );
  });
});
