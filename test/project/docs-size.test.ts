// The documents stay few and short, so that they can be read: at most 30 pages, none over 250 lines but those that a program writes, no line over 150 characters.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pages = globSync('docs/**/*.md', { cwd: root }).toSorted();
const lines = (path: string) => read(path).trimEnd().split('\n');
const isWritten = (path: string) => /^(Written|Generated) by `npm run /m.test(lines(path).slice(0, 5).join('\n'));
const prosePages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages].filter((path) => !isWritten(path));

/** The lines outside tables and code, with their numbers. */
function proseLines(path: string): { path: string; number: number; line: string }[] {
  let isCode = false;
  return lines(path).flatMap((line, index) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || line.startsWith('|') ? [] : [{ path, number: index + 1, line }];
  });
}

describe('the size of the documents', () => {
  it('there are at most 30 pages', () => assert.ok(pages.length <= 30, `${pages.length} pages`));

  it('no page has more than 250 lines, unless its first lines say that a program writes it', () => {
    const long = pages.filter((path) => lines(path).length > 250 && !isWritten(path));
    assert.deepEqual(long, []);
  });

  it('each entry of the decisions is a subject and sentences, in at most two lines: “**Subject.** It is so, because …”', () => {
    for (const path of pages.filter((one) => one.startsWith('docs/decisions/'))) {
      const entries = [...read(path).matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) => entry);
      assert.ok(entries.length > 70, `${path} has ${entries.length} entries`);
      for (const entry of entries)
        assert.match(
          entry,
          /^- \*\*[^*]+\.\*\* \S.{20,}(?:\n {2}.+)?[.`]$/,
          `${path}: write “- **Subject.** Sentence.”`,
        );
    }
  });

  it('no line of prose is wider than 150 characters; tables and code may be', () => {
    const wide = prosePages.flatMap((path) => proseLines(path).filter(({ line }) => line.length > 150));
    assert.deepEqual(
      wide.map(({ path, number, line }) => `${path}:${number} has ${line.length} characters: break it`),
      [],
    );
  });
});
