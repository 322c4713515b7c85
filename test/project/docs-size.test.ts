// The documents stay few and short, so that they can be read: at most 30 pages, none over 250 lines but those that a program writes.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = globSync('docs/**/*.md', { cwd: root }).toSorted();
const lines = (path: string) => read(path).trimEnd().split('\n');

describe('the size of the documents', () => {
  it('there are at most 30 pages', () => assert.ok(pages.length <= 30, `${pages.length} pages`));

  it('no page has more than 250 lines, unless its first lines say that a program writes it', () => {
    const long = pages.filter((path) => lines(path).length > 250);
    assert.deepEqual(
      long.filter((path) => !/^(Written|Generated) by `npm run /m.test(lines(path).slice(0, 5).join('\n'))),
      [],
    );
  });

  it('each entry of the decisions has at most two lines of at most 160 characters', () => {
    for (const path of pages.filter((one) => one.startsWith('docs/decisions/'))) {
      const entries = read(path).matchAll(/^- \*\*.*(?:\n {2}.*)*/gm);
      for (const [entry] of entries) assert.ok(/^.{1,160}(\n.{1,160})?$/.test(entry), `${path}: ${entry}`);
    }
  });
});
