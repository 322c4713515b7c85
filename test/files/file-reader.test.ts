// Who may read a file, as a table: its owner, the users whom its owner names, every user if its purpose says so, and the back end.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayRead } from '../../src/files/file-reader.ts';
import { asUserId } from '../helpers/people/ids.ts';

describe('who may read a file', () => {
  for (const [reader, readableBy, expected, whenNamed] of [
    [{ userId: asUserId('ann') }, 'owner', true, true],
    [{ userId: asUserId('ann') }, undefined, true, true],
    [{ userId: asUserId('ann') }, 'named', true, true],
    [{ userId: asUserId('bob') }, 'owner', false, false],
    [{ userId: asUserId('bob') }, undefined, false, false],
    [{ userId: asUserId('bob') }, 'named', false, true],
    [{ userId: asUserId('bob') }, 'signed-in', true, true],
    [{ keyId: 'k1' }, 'owner', true, true],
    [{ keyId: 'k1' }, 'signed-in', true, true],
    [{ keyId: 'k1' }, undefined, true, true],
  ] as const) {
    for (const isNamed of [false, true]) {
      const may = isNamed ? whenNamed : expected;
      const who = `${JSON.stringify(reader)}${isNamed ? ', named by ann,' : ''}`;
      it(`${who} ${may ? 'reads' : 'does not read'} a file of ann with the purpose ${readableBy}`, () => {
        assert.equal(mayRead(reader, { userId: asUserId('ann'), isNamed }, readableBy && { readableBy }), may);
      });
    }
  }
});
