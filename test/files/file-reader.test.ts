// Who may read a file, as a table: its owner, the users whom its owner names, every user if its purpose says so, and the back end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayRead } from '../../src/files/file-reader.ts';

describe('who may read a file', () => {
  for (const [reader, readableBy, expected, whenNamed] of [
    [{ userId: 'ann' }, 'owner', true, true],
    [{ userId: 'ann' }, undefined, true, true],
    [{ userId: 'ann' }, 'named', true, true],
    [{ userId: 'bob' }, 'owner', false, false],
    [{ userId: 'bob' }, undefined, false, false],
    [{ userId: 'bob' }, 'named', false, true],
    [{ userId: 'bob' }, 'signed-in', true, true],
    [{ keyId: 'k1' }, 'owner', true, true],
    [{ keyId: 'k1' }, 'signed-in', true, true],
    [{ keyId: 'k1' }, undefined, true, true],
  ] as const) {
    for (const isNamed of [false, true]) {
      const may = isNamed ? whenNamed : expected;
      const who = `${JSON.stringify(reader)}${isNamed ? ', named by ann,' : ''}`;
      it(`${who} ${may ? 'reads' : 'does not read'} a file of ann with the purpose ${readableBy}`, () => {
        assert.equal(mayRead(reader, { userId: 'ann', isNamed }, readableBy && { readableBy }), may);
      });
    }
  }
});
