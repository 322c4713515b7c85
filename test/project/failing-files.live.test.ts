// A test file that fails in any way makes the run fail, and the log says which file it was and why.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { runFiles, startProcess } from '../../scripts/run-files.ts';

const root = new URL('../../', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-failing-files-'));
after(() => rmSync(folder, { recursive: true }));

const head = `import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
`;
const sound = `it('is sound', () => {});\n`;

const files = {
  passes: `${sound}it('waits', { skip: 'no disk' }, () => {}); it('is to come', { todo: true }, () => { throw new Error(); });`,
  'passes-too': `import { declare } from './helper.ts';\ndeclare();`,
  assertion: `console.log('a hint');\ndescribe('a suite', () => it('a test', () => assert.deepEqual([1, 2], [1, 3])));`,
  hook: `describe('a suite', () => { before(() => { throw new Error('no hook'); }); ${sound} });`,
  'last-hook': `after(() => { throw new Error('no last hook'); });\n${sound}`,
  syntax: 'const x = ;',
  'half-loaded': `${sound}throw new Error('not loaded');`,
  late: `it('is late', () => { setTimeout(() => { throw new Error('too late'); }, 1); });
it('waits', () => new Promise((resolve) => setTimeout(resolve, 50)));`,
  exit: `${sound}it('a crash', () => process.exit(7));`,
  'exit-0': `${sound}it('an exit', () => process.exit(0));`,
  killed: `${sound}it('a kill', () => process.kill(process.pid, 'SIGKILL'));`,
  hangs: `${sound}it('a hang', () => new Promise(() => setInterval(() => {}, 1000)));`,
  empty: '',
} as const;
type Name = keyof typeof files;

for (const [name, text] of Object.entries(files)) writeFileSync(pathOf(name as Name), `${head}${text}\n`);
writeFileSync(
  join(folder, 'helper.ts'),
  `${head}export const declare = () => describe('written in a helper', () => { ${sound} });`,
);

function pathOf(name: Name): string {
  return join(folder, `${name}.test.ts`);
}

const start = startProcess([
  '--require',
  new URL('test/helpers/end-hanging-file.js', root).pathname,
  `--test-reporter=${new URL('scripts/test-reporter.ts', root).href}`,
]);

async function logOf(...names: Name[]): Promise<{ hasPassed: boolean; log: string }> {
  let log = '';
  // The hook of this process that notes answers must not reach the files.
  const env = {
    TEST_FILE: names.join(' '),
    TEST_FILE_MINUTES: names.includes('hangs') ? '0.02' : '1',
    ANSWERS_SEEN: '',
  };
  const { hasPassed } = await runFiles([{ files: names.map((name) => relative('.', pathOf(name))), env }], start, {
    atOnce: 1,
    write: (text) => {
      log += text;
    },
  });
  return { hasPassed, log: log.replaceAll(/^([✔✖]) .*\/([\w-]+)\.test\.ts {2}(.*) {2}\d+ ms$/gm, '$1 $2: $3') };
}

describe('a test file in a process of its own', { concurrency: 2 }, () => {
  it('passes, and its skipped and coming tests are counted', async () => {
    assert.deepEqual(await logOf('passes'), {
      hasPassed: true,
      log: '✔ passes: 3 tests, 1 skipped, 1 to do\n﹣ 1 skipped\n    no disk (1)\n',
    });
  });

  for (const [name, ...parts] of [
    [
      'assertion',
      /^✖ assertion: 1 test, 1 failed$/m,
      /a suite > a test\n +at .*assertion.test.ts:4$/m,
      / \+ {3}2\n +- {3}3$/m,
      /^ +a hint$/m,
    ],
    ['hook', /^✖ hook: 1 test, 1 failed$/m, /Error: no hook/],
    ['last-hook', /^✖ last-hook: /m, /Error: no last hook/],
    ['syntax', /^✖ syntax: 0 tests$/m, /ended with code 1 before its tests were done/, /Expression expected/],
    ['half-loaded', /^✖ half-loaded: /m, /before its tests were done/, /Error: not loaded/],
    ['late', /^✖ late: 2 tests$/m, /ended with code 1$/m, /Test "is late" .* created the error "Error: too late"/],
    ['exit', /^✖ exit: /m, /ended with code 7 before its tests were done; the test that started last: a crash/],
    ['exit-0', /^✖ exit-0: /m, /ended with code 0 before its tests were done; the test that started last: an exit/],
    ['killed', /^✖ killed: /m, /was ended by SIGKILL before its tests were done/],
    ['hangs', /^✖ hangs: /m, /hangs did not end within 0\.02 minutes/, /started last: a hang/],
    ['empty', /^✖ empty: 0 tests$/m, /no test ran/],
  ] as const) {
    it(`fails and says why: ${name}`, async () => {
      const { hasPassed, log } = await logOf(name);
      assert.equal(hasPassed, false);
      for (const part of parts) assert.match(log, part);
    });
  }
});

describe('test files that share a process', { concurrency: 2 }, () => {
  it('have a line each, also if a helper declares their tests', async () => {
    const { hasPassed, log } = await logOf('passes', 'passes-too');
    assert.equal(hasPassed, true);
    assert.match(log, /^✔ passes: 3 tests, 1 skipped, 1 to do\n✔ passes-too: 1 test\n/);
  });

  for (const [name, ...parts] of [
    ['assertion', /^✖ assertion: 1 test, 1 failed$/m, /a suite > a test/, /^ +a hint$/m],
    ['hook', /^✖ hook: 1 test, 1 failed$/m, /Error: no hook/],
    ['last-hook', /^✖ last-hook: /m, /Error: no last hook/],
    ['syntax', /^✖ syntax: 1 test, 1 failed$/m, /Expression expected/],
    ['half-loaded', /^✖ half-loaded: 1 test, 1 failed$/m, /the file failed while it was loaded\n +Error: not loaded/],
    ['late', /^✖ late: 2 tests$/m, /created the error "Error: too late"/],
  ] as const) {
    it(`fail for one of them: ${name}`, async () => {
      const { hasPassed, log } = await logOf('passes-too', name);
      assert.equal(hasPassed, false);
      for (const part of [/^✔ passes-too: 1 test$/m, ...parts]) assert.match(log, part);
    });
  }

  it('fail together if one of them ends their process', async () => {
    for (const name of ['exit', 'exit-0', 'killed'] as const) {
      const { hasPassed, log } = await logOf('passes-too', name);
      assert.equal(hasPassed, false);
      assert.match(log, /^✖ passes-too: 0 tests$/m);
      assert.match(log, /^ +✖ the process .* before its tests were done/m);
    }
  });
});
