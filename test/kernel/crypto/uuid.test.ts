// Ids as bytes: what is written is read back, whatever was there before.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { idAfter, parseUuid, readUuid, writeUuid } from '../../../src/kernel/crypto/uuid.ts';

describe('an id as bytes', () => {
  it('is read back as it was written, at any place', () => {
    for (let at = 0; at < 8; at += 1) {
      const bytes = Buffer.alloc(24, 0xff);
      const id = newId();
      writeUuid(bytes, id, at);
      assert.equal(bytes.toString('hex', at, at + 16), id.replaceAll('-', ''));
      assert.equal(readUuid(bytes, at), id);
      assert.ok(bytes.every((byte, index) => (index >= at && index < at + 16) || byte === 0xff));
    }
  });

  it('capital letters are the same digits', () => {
    const bytes = Buffer.alloc(16);
    writeUuid(bytes, 'ABCDEF01-2345-7789-8ABC-DEF012345678', 0);
    assert.equal(readUuid(bytes, 0), 'abcdef01-2345-7789-8abc-def012345678');
  });

  it('a text that is no id leaves nothing of what was written before', () => {
    for (const text of ['', 'ann', 'g0000000-0000-0000-0000-00000000000G', 'é'.repeat(40)]) {
      const bytes = Buffer.alloc(18, 0xff);
      writeUuid(bytes, text, 1);
      const expected = text === 'ann' ? 'a000' : '0000';
      assert.equal(bytes.toString('hex', 1, 3), expected);
      assert.equal(bytes.toString('hex', 3, 17), '00'.repeat(14));
      assert.deepEqual([bytes[0], bytes[17]], [0xff, 0xff]);
    }
  });

  it('an id is read in any case, as it is stored', () => {
    const id = 'abcdef01-2345-7789-8abc-def012345678';
    for (const text of [id, id.toUpperCase(), `ABCDEF${id.slice(6)}`]) assert.equal(parseUuid(text), id);
    for (const text of [
      '',
      `${id}0`,
      `${id}\n`,
      ` ${id}`,
      id.replaceAll('-', ''),
      id.replace('a', 'g'),
      id.replace('a', 'ａ'),
    ])
      assert.equal(parseUuid(text), undefined, text);
  });

  it('the next id differs in its end, and an end without a next one starts anew', () => {
    assert.equal(idAfter('01a1ee5e-5a6f-7000-90e6-0295393458ff'), '01a1ee5e-5a6f-7000-90e6-029539345900');
    assert.equal(idAfter('01a1ee5e-5a6f-7000-90e6-ffffffffffff'), '01a1ee5e-5a6f-7000-90e6-000000000000');
  });
});
