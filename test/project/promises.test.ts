// Checks the promises of docs/security.md and docs/evidence/: test/promises.json names the tests of each id, and of what each guide says.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = ['docs/security.md', ...globSync('docs/evidence/*.md', { cwd: root })];
/** An item `- **T01** …`, or a row `| T01 | … |`, with the lines that belong to it. */
const promises = pages.flatMap((page) => [
  ...read(page).matchAll(/^(?:- \*\*|\| )([A-Z]{1,2}\d{2,3})(?:\*\* | \| )(.*(?:\n {2}.*)*)$/gm),
]);
const texts = new Map(promises.map(([, id = '', text = '']) => [id, text]));
/** A title as it is written in the sources, or one that is built from a table, and the name of one case in the table. */
type Title = string | { readonly title: string; readonly case: string };
/** The files and titles of the tests that hold each promise. */
const tests = JSON.parse(read('test/promises.json')) as Record<string, Record<string, Title[]>>;

/** A part of the name that a call of `it`, `describe` or `test` has; a name in a variable counts as `${variable}`. */
const named = /\b(?:it|describe|test)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"([^"\n]*)"|(\w+),)/g;
const namesIn = (text: string) =>
  [...text.matchAll(named)].map(([, single, template, double, variable]) =>
    variable === undefined ? (single ?? template ?? double ?? '').replaceAll("\\'", "'") : `\${${variable}}`,
  );

/** A test file with the modules of the tests that it imports: those beside it may have tests, all may have tables of cases. */
function sourcesOf(path: string): { readonly own: string; readonly beside: string[]; readonly all: string[] } {
  const own = read(path);
  const imported = [...own.matchAll(/ from '(\.[^']+)';/g)]
    .map(([, target = '']) => ({ target, file: join(dirname(path), target) }))
    .filter(({ file }) => /^(?:\w+\/)?test\//.test(file));
  const texts = (some: typeof imported) => some.map(({ file }) => read(file));
  const beside = texts(imported.filter(({ target }) => target.startsWith('./')));
  return { own, beside, all: [own, ...texts(imported)] };
}

/** Whether a table has a case of this name: as a text of its own, or as a key. */
function hasCase(text: string, name: string): boolean {
  return (
    [`'${name}'`, `'${name.replaceAll("'", "\\'")}'`, `"${name}"`, `\`${name}\``].some((one) => text.includes(one)) ||
    (/^\w+$/.test(name) && new RegExp(`^\\s*${name}:`, 'm').test(text))
  );
}

/** What is wrong with a title in test/promises.json; undefined if a test has it. */
function faultOf(path: string, title: Title): string | undefined {
  const { own, beside, all } = sourcesOf(path);
  const names = [own, ...beside].flatMap(namesIn);
  if (typeof title === 'string')
    return names.some((name) => name.includes(title)) ? undefined : `no test has the name “${title}”`;
  if (!names.some((name) => name.includes('${') && name.includes(title.title)))
    return `no test has a name that is built as “${title.title}”`;
  return all.some((text) => hasCase(text, title.case)) ? undefined : `no table has the case “${title.case}”`;
}

describe('the promises', () => {
  it('each promise has an id of its own, and tests or a reason why there is none', () => {
    assert.equal(texts.size, promises.length);
    assert.ok(promises.length >= 540, `${promises.length} promises`);
    for (const [id, text] of texts) {
      if (tests[id] === undefined) assert.match(text, /\*\*Not (kept|tested)\*\*: .{20,}/, id);
    }
  });

  it('each name in test/promises.json is a promise or a guide, and has tests that exist, by file and title', () => {
    let count = 0;
    for (const [id, files] of Object.entries(tests)) {
      // A guide may name whole files.
      const isGuide = id.startsWith('docs/');
      assert.ok(isGuide ? existsSync(new URL(id, root)) : texts.has(id), `there is no promise and no guide ${id}`);
      assert.ok(Object.keys(files).length > 0, id);
      for (const [path, titles] of Object.entries(files)) {
        assert.ok(existsSync(new URL(path, root)), `${id}: ${path}`);
        assert.ok(isGuide || (path.endsWith('.test.ts') && titles.length > 0), `${id} names no test of ${path}`);
        for (const title of titles) assert.equal(faultOf(path, title), undefined, `${id}: ${path}`);
        count += titles.length;
      }
    }
    assert.ok(count > 1050, `${count} tests are named`);
  });

  it('a title counts only as the name of a test, and a case only in a table', () => {
    const path = 'test/project/promises.test.ts';
    assert.equal(faultOf(path, 'the promises'), undefined);
    assert.match(faultOf(path, 'ARCHITECTURE.md') ?? '', /^no test has the name/);
    assert.match(faultOf(path, { title: 'the promises', case: 'client' }) ?? '', /^no test has a name that is built/);
    const config = 'test/config/config.test.ts';
    const title = ' refuses its invalid values';
    assert.equal(faultOf(config, { title, case: 'TRUSTED_PROXIES' }), undefined);
    assert.match(faultOf(config, { title, case: 'TRUSTED' }) ?? '', /^no table has the case/);
  });

  it('no guide shows the path of a test: readers of guides do not need it, and other pages name ids', () => {
    const guides = globSync(['docs/*.md', '{client,examples,locales,react}/README.md', 'examples/*/README.md'], {
      cwd: root,
    });
    assert.ok(guides.length > 25);
    assert.deepEqual(
      guides.filter((path) => path !== 'docs/security.md' && /\btest\//.test(read(path))),
      [],
    );
    const others = globSync(['README.md', 'docs/**/*.md'], { cwd: root });
    assert.deepEqual(
      others.filter((path) => /\btest\/\S+\.test\.ts/.test(read(path))),
      [],
    );
  });

  it('the table of the draft of resumable uploads has every requirement in order', () => {
    const rows = [...read('docs/evidence/promises-service.md').matchAll(/^\| J(\d\d) \| /gm)].map(([, id]) =>
      Number(id),
    );
    assert.ok(rows.length >= 25, `${rows.length} rows`);
    assert.deepEqual(
      rows,
      rows.map((_, index) => index + 1),
    );
  });

  it('SECURITY.md links to the threat model, and that to every page of promises', () => {
    assert.ok(read('SECURITY.md').includes('(docs/security.md)'));
    for (const page of pages.filter((path) => path.includes('promises')))
      assert.ok(read('docs/security.md').includes(`(${page.slice('docs/'.length)})`), page);
  });
});
