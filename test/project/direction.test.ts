// The styles of the pages in both directions: no side is named left or right, and joined letters are never spaced.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const sheets = globSync('{web,scripts/site/browser}/**/*.css').map(
  (path) => [path, readFileSync(path, 'utf8')] as const,
);

/** Only in English, or about digits. */
const mayBeSpaced = ['scripts/site/browser/', 'web/parts/code-field.css'];

const sides = [
  /(?:^|[\s;{])(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b/,
  /-(?:left|right)-radius\b/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
];

describe('the styles of the pages', () => {
  it('there are style sheets to check', () => assert.ok(sheets.length > 20));

  for (const [path, style] of sheets) {
    it(`${path} names no side left or right`, () => {
      const lines = withoutComments(style).split('\n');
      assert.deepEqual(
        lines.filter((line) => sides.some((side) => side.test(line))),
        [],
      );
    });

    it(`${path} spaces no letters but by the tokens that depend on the script, and has no capitals`, () => {
      if (mayBeSpaced.some((start) => path.startsWith(start))) return;
      const spaced = /letter-spacing:(?! (?:0|var\(--(?:tight|snug)\));)|text-transform:\s*uppercase/;
      assert.doesNotMatch(withoutComments(style), spaced);
    });
  }

  it('a side that is named is found', () => {
    const wrong = [
      'a { margin-left: 1px }',
      '  left: 0;',
      'b{text-align: right}',
      'border-top-left-radius: 1px',
      'float:left',
    ];
    for (const line of wrong)
      assert.ok(
        sides.some((side) => side.test(line)),
        line,
      );
    const right = [
      'margin-inline-start: 1px',
      'inset-inline-end: 0',
      'text-align: start',
      '--left: 1px',
      'color: var(--right)',
    ];
    for (const line of right) assert.ok(!sides.some((side) => side.test(line)), line);
  });
});

function withoutComments(style: string): string {
  return style.replaceAll(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '');
}
