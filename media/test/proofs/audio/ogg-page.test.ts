// A page of Ogg: its length from the lacing values, its flags, and its checksum.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOggPage } from '../../../src/proofs/audio/ogg-page.ts';
import { oggPage } from '../../helpers/media-builders.ts';
import { inMemory, joined, patched } from '../../helpers/media-files.ts';

const page = oggPage({ flags: 0, serial: 0x01020304, sequence: 0xfffffffe, payload: 'words' });

describe('a page of Ogg', () => {
  it('a page of Ogg is read with its stream, its number and its payload', () => {
    assert.deepEqual(readOggPage(inMemory(joined('before', page, 'after')), 6), {
      length: 33,
      serial: 0x01020304,
      sequence: 0xfffffffe,
      isFirst: false,
      isLast: false,
      isContinued: false,
      hasOpenPacket: false,
      payload: Buffer.from('words'),
    });
  });

  for (let flags = 0; flags < 8; flags++) {
    it(`the flags ${flags} of a page are read`, () => {
      const found = readOggPage(inMemory(oggPage({ flags, sequence: 0, payload: 'x' })), 0);
      assert.ok(typeof found === 'object');
      const { isContinued, isFirst, isLast } = found;
      assert.deepEqual([isContinued, isFirst, isLast], [(flags & 1) > 0, (flags & 2) > 0, (flags & 4) > 0]);
    });
  }

  for (const [what, payload, lacing, isOpen] of [
    ['no packet', 0, [], false],
    ['an empty packet', 0, [0], false],
    ['a packet of 254 bytes', 254, [254], false],
    ['a packet of 255 bytes', 255, [255, 0], false],
    ['a packet that goes on', 255, [255], true],
    ['a packet, and one that goes on', 258, [3, 255], true],
    ['a long packet and a short one', 514, [255, 255, 0, 4], false],
    ['as much as fits', 255 * 255, Array(255).fill(255), true],
  ] as [string, number, number[], boolean][]) {
    it(`a page with ${what} is as long as its lacing values say`, () => {
      const bytes = oggPage({ flags: 0, sequence: 0, payload: Buffer.alloc(payload, 'a'), lacing });
      const found = readOggPage(inMemory(joined(bytes, 'more')), 0);
      assert.ok(typeof found === 'object', JSON.stringify(found));
      assert.deepEqual(
        [found.length, found.payload.length, found.hasOpenPacket],
        [27 + lacing.length + payload, payload, isOpen],
      );
    });
  }

  for (const [what, bytes, reason] of [
    ['nothing', Buffer.alloc(0), 'unknown data between pages'],
    ['other data', joined('words and more words and more words'), 'unknown data between pages'],
    ['another mark', oggPage({ mark: 'OggX', flags: 0, sequence: 0, payload: 'x' }), 'unknown data between pages'],
    ['half a mark', joined('Ogg'), 'unknown data between pages'],
    ['a mark without a version', joined('OggS'), 'unknown data between pages'],
    ['another version', patched(page, 4, [1]), 'unknown data between pages'],
    ['a mark and a version', joined('OggS\0'), 'a page is truncated'],
    ['a header that is cut', page.subarray(0, 26), 'a page is truncated'],
    [
      'lacing values that are cut',
      oggPage({ flags: 0, sequence: 0, payload: Buffer.alloc(600) }).subarray(0, 28),
      'a page is truncated',
    ],
    ['a payload that is cut', page.subarray(0, -1), 'a page is truncated'],
    [
      'a long payload that is cut',
      oggPage({ flags: 0, sequence: 0, payload: Buffer.alloc(600) }).subarray(0, -1),
      'a page is truncated',
    ],
    ['an unknown flag', oggPage({ flags: 8, sequence: 0, payload: 'x' }), 'a page with a wrong checksum'],
  ] as const) {
    it(`a page of Ogg is refused: ${what}`, () => assert.equal(readOggPage(inMemory(bytes), 0), reason));
  }

  it('a page of Ogg is refused if any bit of it changes', () => {
    for (let bit = 0; bit < page.length * 8; bit++) {
      const at = bit >> 3;
      const changed = patched(page, at, [page.readUInt8(at) ^ (1 << (bit & 7))]);
      assert.equal(typeof readOggPage(inMemory(changed), 0), 'string', `bit ${bit}`);
    }
  });
});
