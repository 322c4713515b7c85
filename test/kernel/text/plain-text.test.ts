// Proves that foreign text cannot control a terminal or a page: control characters are not stored, and nothing is printed unescaped.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { blot } from '../../../src/adapters/log/log-facts.ts';
import { cleanUserAgent } from '../../../src/auth/sessions/session.ts';
import { writeDetail, writeTable } from '../../../src/commands/write-text.ts';
import { cleanLine, escapeAllButLines, escapeControls } from '../../../src/kernel/text/plain-text.ts';

/** Clears the screen, sets the title, changes the direction, ends the line, hides, is half a character, is a tag. */
const hostile = 'A\u001b[2J\u009b2J\u009d0;title\u0007\u0085\u202e\u2066\u200b\ud800\u2028\u{e0041}\u0000\u007fZ';
const harmful = /[\p{C}\u2028\u2029]/u;

describe('foreign text', () => {
  it('foreign text is stored as one bounded line without control characters', () => {
    const clean = cleanLine(`  ${hostile}  `, 300);
    assert.match(clean, /^A \[2J 2J 0;title/);
    assert.doesNotMatch(clean, harmful);
    assert.equal(cleanLine('a'.repeat(1000), 300).length, 300);
    assert.doesNotMatch(cleanLine(`${'a'.repeat(299)}\u{1f600}`, 300), harmful, 'a character cut in half');
    assert.equal(
      cleanUserAgent('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'),
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    );
  });

  it('control characters are escaped on a terminal, and JSON stays valid', () => {
    assert.doesNotMatch(escapeControls(hostile), harmful);
    assert.equal(escapeControls('\u009b2J\n'), '\\u009b2J\\u000a');
    assert.equal(escapeAllButLines('Zoë\t日本\n\u{1f600}'), 'Zoë\t日本\n\u{1f600}');
    const json = escapeAllButLines(`${JSON.stringify({ name: hostile })}\n`);
    assert.doesNotMatch(json.trimEnd(), harmful);
    assert.equal(JSON.parse(json).name, hostile);
  });

  it('foreign text cannot break out of a table cell or a value', () => {
    const table = writeTable(['name'], [[`${hostile}\nfalse line`]]);
    assert.equal(table.split('\n').length, 2);
    assert.doesNotMatch(table.replaceAll('\n', ''), harmful);
    assert.doesNotMatch(writeDetail({ why: hostile, name: `a${hostile}` }), harmful);
  });

  it('foreign text is harmless in the log', () => {
    assert.doesNotMatch(blot(hostile), harmful);
  });

  it('only three files write to the terminal', () => {
    const ways = globSync('src/**/*.{ts,js}').filter((file) =>
      /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(file, 'utf8')),
    );
    // A line of progress holds our own words and numbers and overwrites itself. An old Node gets only our own words.
    assert.deepEqual(ways.sort(), [
      'src/commands/progress.ts',
      'src/commands/terminal.ts',
      'src/kernel/process/begin-process.js',
    ]);
  });
});
