// Test files that share a process, the order of the processes, and what the end of a log says about failures.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { longestFiles } from '../../scripts/longest-files.ts';
import { type FileRun, runFiles, type Start } from '../../scripts/run-files.ts';
import { aloneBecause, filesPerProcess, pagesPerProcess, shareProcesses } from '../../scripts/share-processes.ts';

const root = new URL('../../', import.meta.url);

function runOf(...files: string[]): FileRun {
  return { name: files.join(' '), files, env: {} };
}

async function logOf(runs: readonly FileRun[], start: Start, atOnce = 1): Promise<{ failed: number; log: string }> {
  let log = '';
  const failed = await runFiles(runs, start, atOnce, (text) => {
    log += text;
  });
  return { failed, log: log.replaceAll(/in \d+\.\d s/g, 'in 0.0 s') };
}

describe('a run of test files', () => {
  it('a run writes the output of each process when it has ended: several files first, then the longest', async () => {
    const [longest = '', next = ''] = longestFiles;
    const runs = [runOf('d.ts'), runOf('a.ts', 'b.ts'), runOf('c.ts', next), runOf(longest)];
    const { failed, log } = await logOf(runs, async ({ files }) => ({ code: 0, output: `${files.length}\n` }));
    assert.equal(failed, 0);
    const ends = ['2\n✔ a.ts b.ts', `2\n✔ c.ts ${next}`, `1\n✔ ${longest}`, '1\n✔ d.ts'];
    assert.equal(log, ends.map((end) => `${end} in 0.0 s\n`).join(''));
  });

  it('a run repeats at its very end which tests failed, and how a process ended that names none', async () => {
    const outputs: Record<string, string> = {
      'a.ts': '✖ one\n✔ two\n\n✖ failing tests:\n\n✖ one\n  expected 1\n',
      'b.ts': '✔ three\n',
      'c.ts': `${'line\n'.repeat(500)}killed\n`,
    };
    const { failed, log } = await logOf(
      Object.keys(outputs).map((file) => runOf(file)),
      async ({ name }) => ({
        code: name === 'b.ts' ? 0 : 1,
        output: outputs[name] ?? '',
      }),
    );
    assert.equal(failed, 2);
    const [, end = ''] = log.split('✖ c.ts in 0.0 s\n');
    assert.equal(
      end,
      [
        '\n✖ a.ts has failed. The end of its output again:\n✖ failing tests:\n\n✖ one\n  expected 1\n',
        `\n✖ c.ts has failed. The end of its output again:\n${'line\n'.repeat(199)}killed\n`,
        '✖ a.ts\n✖ c.ts\n',
      ].join(''),
    );
  });

  it('a run has as many processes at once as it may', async () => {
    let running = 0;
    let most = 0;
    const start: Start = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return { code: 0, output: '' };
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
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
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
