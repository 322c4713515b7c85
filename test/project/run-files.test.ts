// Test files that share a process, the order of the processes, and what is written about them.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Ended } from '../../scripts/file-results.ts';
import { longestFiles } from '../../scripts/longest-files.ts';
import { type FileRun, type RunResult, runFiles, type Start } from '../../scripts/run-files.ts';
import { aloneBecause, filesPerProcess, pagesPerProcess, shareProcesses } from '../../scripts/share-processes.ts';
import type { TestRecord, TopTest } from '../../scripts/test-reporter.ts';

const root = new URL('../../', import.meta.url);

function runOf(...files: string[]): FileRun {
  return { files, env: {} };
}

function topTest(file: string, parts: Partial<TopTest> = {}): TopTest {
  return { kind: 'test', file, tests: 1, failed: 0, todo: 0, skipped: [], ms: 2, failures: [], ...parts };
}

function ended(records: readonly TestRecord[], parts: Partial<Ended> = {}): Ended {
  return { code: 0, signal: null, output: '', records, ...parts };
}

function passed(...files: string[]): Ended {
  return ended([...files.map((file) => topTest(file)), { kind: 'end', success: true }]);
}

async function logOf(runs: readonly FileRun[], start: Start, atOnce = 1): Promise<{ result: RunResult; log: string }> {
  let log = '';
  const result = await runFiles(runs, start, {
    atOnce,
    write: (text) => {
      log += text;
    },
  });
  return { result, log };
}

describe('a run of test files', () => {
  it('a run writes a line for each file when its process has ended: several files first, then the longest', async () => {
    const [longest = '', next = ''] = longestFiles;
    const runs = [runOf('d.ts'), runOf('a.ts', 'b.ts'), runOf('c.ts', next), runOf(longest)];
    const { result, log } = await logOf(runs, async ({ files }) => passed(...files));
    assert.deepEqual(result, { hasPassed: true, tests: 6 });
    assert.equal(
      log,
      ['a.ts', 'b.ts', 'c.ts', next, longest, 'd.ts'].map((file) => `✔ ${file}  1 test  2 ms\n`).join(''),
    );
  });

  it('a run says why a file failed and what it wrote, and says why again at its very end', async () => {
    const failures = [{ name: 'a suite > a test', why: 'at a.ts:3\nexpected 1' }];
    const runs: Record<string, Ended> = {
      'a.ts': ended([topTest('a.ts', { tests: 3, failed: 1, failures }), { kind: 'end', success: false }], {
        code: 1,
        output: 'one\ntwo\n',
      }),
      'b.ts': { ...passed('b.ts'), output: 'not shown\n' },
      'c.ts': ended([], { code: null, signal: 'SIGKILL', output: `${'line\n'.repeat(500)}killed\n` }),
    };
    const { result, log } = await logOf(
      Object.keys(runs).map((file) => runOf(file)),
      async ({ files: [file = ''] }) => runs[file] ?? passed(),
    );
    assert.equal(result.hasPassed, false);
    const aboutA = '✖ a.ts  3 tests, 1 failed  2 ms\n    a suite > a test\n      at a.ts:3\n      expected 1\n';
    const lines = `${'      line\n'.repeat(199)}      killed\n`;
    const aboutC = [
      '✖ c.ts  0 tests  0 ms\n    ✖ the process was ended by SIGKILL before its tests were done\n',
      `    output of the process (the last 200 of 501 lines):\n${lines}`,
    ].join('');
    assert.equal(
      log,
      [
        `${aboutA}    output of the process (all):\n      one\n      two\n✔ b.ts  1 test  2 ms\n${aboutC}`,
        `\n${aboutA}    again: npm test -- a.ts\n\n${aboutC}    again: npm test -- c.ts\n`,
      ].join(''),
    );
  });

  it('a run counts what was skipped and gives each reason once, also one that a helper prints', async () => {
    const { log } = await logOf([runOf('a.ts'), runOf('b.ts')], async ({ files: [file = ''] }) => ({
      ...ended([topTest(file, { todo: 1, skipped: ['no disk', ''] }), { kind: 'end', success: true }]),
      output: 'skipped: no browser\nthe rest\n',
    }));
    const lines = ['a.ts', 'b.ts'].map((file) => `✔ ${file}  1 test, 2 skipped, 1 to do  2 ms\n`).join('');
    assert.equal(log, `${lines}﹣ 4 skipped\n    no browser\n    no disk (2)\n`);
  });

  it('a process that shows no result of a file has failed, whatever its code', async () => {
    for (const records of [
      [],
      [topTest('a.ts')],
      [topTest('a.ts'), { kind: 'early end', started: undefined } as const],
    ]) {
      const { result, log } = await logOf([runOf('a.ts', 'b.ts')], async () => ended(records));
      assert.equal(result.hasPassed, false);
      assert.match(log, /^✖ b\.ts/m);
    }
    const { result } = await logOf([runOf('a.ts', 'b.ts')], async () => passed('a.ts'));
    assert.equal(result.hasPassed, false);
  });

  it('a run has as many processes at once as it may', async () => {
    let running = 0;
    let most = 0;
    const start: Start = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return passed();
    };
    await logOf(
      [...'abcdefg'].map((file) => runOf(file)),
      start,
      3,
    );
    assert.equal(most, 3);
  });
});

describe('test files that share a process', () => {
  const files = globSync('{test,media/test}/**/*.test.ts', { cwd: root }).sort();
  const isPage = (file: string) => file.endsWith('.page.test.ts');

  it('every file runs once, and neighbours share a process', () => {
    const processes = shareProcesses(files);
    assert.deepEqual(processes.flat().sort(), files);
    const shared = processes.filter(({ length }) => length > 1);
    assert.ok(shared.length > 1 && shared.every(({ length }) => length <= filesPerProcess));
    const { true: pages = [], false: others = [] } = Object.groupBy(shared, ([file = '']) => String(isPage(file)));
    for (const together of [pages, others]) assert.deepEqual(together.flat(), together.flat().toSorted());
    assert.deepEqual(shareProcesses([]), []);
  });

  it('pages share a process, and its browser, with a few other pages only', () => {
    const withPages = shareProcesses(files).filter((together) => together.some(isPage));
    assert.ok(withPages.length > 1 && withPages.every(({ length }) => length <= pagesPerProcess));
    assert.ok(withPages.flat().every(isPage));
  });

  it('long files, slow files and those that change their process have one of their own', () => {
    const [longest = ''] = longestFiles;
    const [changing = ''] = Object.keys(aloneBecause);
    const alone = [longest, changing, 'test/a.slow.test.ts'];
    const processes = shareProcesses([...alone, 'test/a.live.test.ts', 'test/a.contract.test.ts']);
    assert.deepEqual(processes, [['test/a.live.test.ts', 'test/a.contract.test.ts'], ...alone.map((file) => [file])]);
  });

  it('a file with a hook for every test is listed, and every listed file exists', () => {
    const changes = /^(?:before|after)Each\(/m;
    const shared = shareProcesses(files).filter(({ length }) => length > 1);
    assert.deepEqual(
      shared.flat().filter((file) => changes.test(readFileSync(new URL(file, root), 'utf8'))),
      [],
    );
    assert.deepEqual(
      Object.keys(aloneBecause).filter((file) => !existsSync(new URL(file, root))),
      [],
    );
  });
});
