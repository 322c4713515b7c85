// Holds docs/security.md to the truth: every test that it names exists, and every row names one or says why there is none.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/security.md');
const rows = page.split('\n').filter((line) => /^\| [A-Z]\d\d \|/.test(line));

describe('the table of promises', () => {
  it('names only tests that exist, by their file and their name', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)];
    assert.ok(named.length > 200, `${named.length} tests are named`);
    for (const [whole, path = '', name = ''] of named) {
      assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), whole);
      // A quote may end where the name of a test is made up of parts.
      assert.ok(read(path).includes(name), whole);
    }
  });

  it('has a test or a reason in each row, and each id once', () => {
    const ids = rows.map((row) => row.slice(2, 5));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(rows.length >= 180, `${rows.length} promises`);
    for (const row of rows) {
      const held = row.split('|').at(-2)?.trim() ?? '';
      assert.match(held, /^(`test\/[^`]+` “[^”]+”|Not (kept|tested): .{20,})/, row);
    }
  });

  it('is where the page on reporting holes points to', () => {
    assert.ok(read('SECURITY.md').includes('(docs/security.md)'));
  });
});
