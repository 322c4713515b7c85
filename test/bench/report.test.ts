// The tables of a run, their place in the document, and the line of the history.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { toHistoryLine } from '../../bench/history.ts';
import { type Sample, summarise } from '../../bench/load/measure.ts';
import { replaceTable, tables } from '../../bench/report.ts';
import { addSample, type Run, type Samples, toResults } from '../../bench/results.ts';

const sample = (microseconds: number, more: Partial<Sample> = {}): Sample => ({
  requests: 1000,
  seconds: 1,
  perSecond: 1000,
  p50: 3,
  p99: 12.34,
  bytes: 0,
  anonymousMebibytes: 120,
  residentMebibytes: 170,
  microseconds,
  threads: { main: microseconds - 30, store: 20 },
  ...more,
});

const samples: Samples = new Map();
for (const cost of [300, 100, 110]) addSample(samples, 'Gatehouse on SQLite', 'refresh', sample(cost));
addSample(samples, 'floor', 'refresh', sample(100));
const run: Run = {
  date: '2026-11-18T00:00:00.000Z',
  commit: 'abc',
  machine: 'a machine',
  node: '26',
  seconds: 1,
  rounds: 3,
  results: toResults(samples),
  memory: { end: { anonymousMebibytes: 200, residentMebibytes: 260 } },
  starts: {},
  loopDelay: null,
  commits: {},
  installed: {},
};
const tableOf = (name: string) =>
  tables(run)
    .find((table) => table.name === name)
    ?.text.split('\n') ?? [];

describe('the report of the bench', () => {
  it('has the median of the repetitions, and the cheapest and the most expensive', () => {
    const { microseconds, range, repetitions } = summarise([sample(300), sample(100), sample(110)]);
    assert.deepEqual({ microseconds, range, repetitions }, { microseconds: 110, range: [100, 300], repetitions: 3 });
  });

  it('compares with the floor of the same run, and says whether a goal is reached', () => {
    assert.equal(tableOf('cost')[2], '| refresh | 110 | 100 to 300 | 422 | 100 | 1.10 | ≤ 1.3 × floor ✔ |');
    assert.equal(tableOf('memory').at(-1), '| all, and 3 s of rest | 200 | 260 | ≤ 180 ✖ |');
    assert.equal(tableOf('waiting')[2], '| Gatehouse on SQLite | | | 12.3 ✔ | ≤ 25 |');
  });

  it('what no thread of now has used was used by others', () =>
    assert.equal(tableOf('threads')[2], '| refresh | 110 | 80 | 20 | 0 | 0 | 0 | 0 | 10 |'));

  it('every table has its place in a document, and a missing one is an error', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const places = Object.fromEntries(tables(run).map(({ name }) => [name, 'docs/evidence/performance.md']));
    for (const [name, path] of Object.entries({ ...places, peers: 'bench/measured.md', workers: 'bench/measured.md' }))
      assert.ok(
        replaceTable(read(path), { name, text: '| new |' }).includes(`<!-- bench ${name} -->\n\n| new |\n\n<!--`),
        name,
      );
    assert.throws(() => replaceTable('', { name: 'cost', text: '' }), /no place for the table cost/);
  });

  it('a line of the history has what was measured, and nothing of a thread', () =>
    assert.deepEqual(toHistoryLine(run).peers, {
      'Gatehouse on SQLite': { refresh: { us: 110, p99: 12.3, perSecond: 1000, anonymous: 120 } },
      floor: { refresh: { us: 100, p99: 12.3, perSecond: 1000, anonymous: 120 } },
    }));
});
