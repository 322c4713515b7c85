// Proves that text of strangers commands no terminal and no page: nothing that controls is kept, and nothing is printed as it is.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { blot } from '../src/adapters/log/pino-log.ts';
import { cleanUserAgent } from '../src/auth/session.ts';
import { writeDetail, writeTable } from '../src/commands/write-text.ts';
import { cleanLine, escapeAllButLines, escapeControls } from '../src/kernel/plain-text.ts';

/** Clears the screen, sets the title, turns the direction, ends the line, hides, is half a character, is a tag. */
const hostile = 'A\u001b[2J\u009b2J\u009d0;title\u0007\u0085\u202e\u2066\u200b\ud800\u2028\u{e0041}\u0000\u007fZ';
const harmful = /[\p{C}\u2028\u2029]/u;

describe('text of strangers', () => {
  it('is kept as one bounded line without controls', () => {
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

  it('is written out on a terminal, and JSON stays JSON', () => {
    assert.doesNotMatch(escapeControls(hostile), harmful);
    assert.equal(escapeControls('\u009b2J\n'), '\\u009b2J\\u000a');
    assert.equal(escapeAllButLines('Zoë\t日本\n\u{1f600}'), 'Zoë\t日本\n\u{1f600}');
    const json = escapeAllButLines(`${JSON.stringify({ name: hostile })}\n`);
    assert.doesNotMatch(json.trimEnd(), harmful);
    assert.equal(JSON.parse(json).name, hostile);
  });

  it('cannot leave its cell, nor its value', () => {
    const table = writeTable(['name'], [[`${hostile}\nfalse line`]]);
    assert.equal(table.split('\n').length, 2);
    assert.doesNotMatch(table.replaceAll('\n', ''), harmful);
    assert.doesNotMatch(writeDetail({ why: hostile, name: `a${hostile}` }), harmful);
  });

  it('is harmless in the log too', () => {
    assert.doesNotMatch(blot(hostile), harmful);
  });

  it('has one way to the terminal', () => {
    const ways = globSync('src/**/*.{ts,js}').filter((file) =>
      /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(file, 'utf8')),
    );
    // A line of progress holds words of ours and figures, and writes over itself; to an old Node only words of ours are said.
    assert.deepEqual(ways.sort(), ['src/begin-process.js', 'src/commands/progress.ts', 'src/commands/terminal.ts']);
  });
});
