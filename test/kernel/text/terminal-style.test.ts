// Colours of the terminal: who gets them, and that no text brings control characters of its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paint, usesColour } from '../../../src/kernel/text/terminal-style.ts';

describe('the colours of a terminal', () => {
  for (const [env, onTerminal, elsewhere] of [
    [{}, true, false],
    [{ TERM: 'xterm-256color' }, true, false],
    [{ TERM: 'dumb' }, false, false],
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ NODE_DISABLE_COLORS: '1' }, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, true, true],
    [{ FORCE_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
  ] as const) {
    it(`with ${JSON.stringify(env)}: ${onTerminal ? 'on' : 'off'} on a terminal, ${elsewhere ? 'on' : 'off'} elsewhere`, () =>
      assert.deepEqual([usesColour(env, true), usesColour(env, false)], [onTerminal, elsewhere]));
  }

  it('a text is coloured, and its own control characters are written out', () => {
    const hostile = '\u001b]0;title\u0007\u009b31m\u202e';
    const shown = '\\u001b]0;title\\u0007\\u009b31m\\u202e';
    assert.equal(paint([hostile, { text: hostile, style: 'red' }], true), `${shown}\u001b[31m${shown}\u001b[0m`);
    assert.equal(paint([hostile, { text: 'a\nb', style: 'red' }], false), `${shown}a\nb`);
    assert.equal(paint(['Code ', { text: '123456', style: 'code' }], true), 'Code \u001b[1;7m 123456 \u001b[0m');
  });
});
