// Checks the promises of docs/security.md and docs/evidence/: test/promises.json names the tests of each id, and of what each guide says.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = ['docs/security.md', ...globSync('docs/evidence/*.md', { cwd: root })];
/** An item `- **T01** …`, or a row `| T01 | … |`, with the lines that belong to it. */
const promises = pages.flatMap((page) => [
  ...read(page).matchAll(/^(?:- \*\*|\| )([A-Z]{1,2}\d{2,3})(?:\*\* | \| )(.*(?:\n {2}.*)*)$/gm),
]);
const texts = new Map(promises.map(([, id = '', text = '']) => [id, text]));
/** The files and titles of the tests that hold each promise. */
const tests = JSON.parse(read('test/promises.json')) as Record<string, Record<string, string[]>>;

describe('the promises', () => {
  it('each promise has an id of its own, and tests or a reason why there is none', () => {
    assert.equal(texts.size, promises.length);
    assert.ok(promises.length >= 540, `${promises.length} promises`);
    for (const [id, text] of texts) {
      if (tests[id] === undefined) assert.match(text, /\*\*Not (kept|tested)\*\*: .{20,}/, id);
    }
  });

  it('each name in test/promises.json is a promise or a guide, and has tests that exist, by file and title', () => {
    let named = 0;
    for (const [id, files] of Object.entries(tests)) {
      // A guide, or a finding, may name whole files.
      const isGuide = id.startsWith('docs/');
      assert.ok(isGuide ? existsSync(new URL(id, root)) : texts.has(id), `there is no promise and no guide ${id}`);
      assert.ok(Object.keys(files).length > 0, id);
      for (const [path, titles] of Object.entries(files)) {
        assert.ok(existsSync(new URL(path, root)), `${id}: ${path}`);
        assert.ok(isGuide || id.startsWith('FN') || titles.length > 0, `${id}: ${path}`);
        // A title may be a part of a name that is built from parts.
        for (const title of titles) assert.ok(read(path).includes(title), `${id}: ${path} “${title}”`);
        named += titles.length;
      }
    }
    assert.ok(named > 880, `${named} tests are named`);
  });

  it('no guide shows the path of a test: readers of guides do not need it', () => {
    const guides = globSync('docs/*.md', { cwd: root }).filter((path) => path !== 'docs/security.md');
    assert.deepEqual(
      guides.filter((path) => /\btest\//.test(read(path))),
      [],
    );
  });

  it('the table of the draft of resumable uploads has every requirement in order', () => {
    const rows = [...read('docs/evidence/promises-service.md').matchAll(/^- \*\*J(\d\d)\*\* /gm)].map(([, id]) =>
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
