// Checks docs/security.md: every test that it names exists, and every row names one or says why there is none.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/security.md');
const rows = page.split('\n').filter((line) => /^\| [A-Z]\d\d \|/.test(line));

describe('the security table', () => {
  it('the security table names only tests that exist, by file and name', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)];
    assert.ok(named.length > 200, `${named.length} tests are named`);
    for (const [whole, path = '', name = ''] of named) {
      assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), whole);
      // A quote may be a part of a name that is built from parts.
      assert.ok(read(path).includes(name), whole);
    }
  });

  it('each row of the security table has a test or a reason, and each id is unique', () => {
    const ids = rows.map((row) => row.slice(2, 5));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(rows.length >= 180, `${rows.length} rows`);
    for (const row of rows) {
      const held = row.split('|').at(-2)?.trim() ?? '';
      assert.match(held, /^(`test\/[^`]+` “[^”]+”|Not (kept|tested): .{20,})/, row);
    }
  });

  it('SECURITY.md links to the security table', () => {
    assert.ok(read('SECURITY.md').includes('(docs/security.md)'));
  });
});
