// Checks docs/resumable-draft.md: every row names tests, and every test that the page names exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/resumable-draft.md');
const rows = page.split('\n').filter((line) => /^\| D\d\d \|/.test(line));

describe('the table of the draft', () => {
  it('the table of the draft names only tests that exist, by file and name', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`\s“([^”]+)”/g)];
    assert.ok(named.length > rows.length, `${named.length} tests are named`);
    for (const [whole, path = '', name = ''] of named) {
      assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), whole);
      assert.ok(read(path).includes(name), whole);
    }
  });

  it('each row has an id of its own, what the service does, and a test', () => {
    assert.ok(rows.length >= 25, `${rows.length} rows`);
    for (const [index, row] of rows.entries()) {
      assert.ok(row.startsWith(`| D${String(index + 1).padStart(2, '0')} |`), row);
      assert.match(row.split(' | ').at(-1) ?? '', /^`test\/[^`]+` “[^”]+”/, row);
    }
  });
});
