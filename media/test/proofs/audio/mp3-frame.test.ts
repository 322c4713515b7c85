// The header of an MPEG audio frame, and the length of frames of a free bit rate.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freeLength, parseFrame } from '../../../src/proofs/audio/mp3-frame.ts';
import { mp3Frame } from '../../helpers/media-builders.ts';
import { hex, inMemory, joined } from '../../helpers/media-files.ts';

describe('the header of a frame', () => {
  for (const [header, expected] of [
    ['fffb9000', { layer: 3, sampleRate: 44_100, length: 417, padding: 0 }],
    ['fffb9200', { layer: 3, sampleRate: 44_100, length: 418, padding: 1 }],
    ['fff39000', { layer: 3, sampleRate: 22_050, length: 261, padding: 0 }],
    ['ffe39000', { layer: 3, sampleRate: 11_025, length: 522, padding: 0 }],
    ['fffd9000', { layer: 2, sampleRate: 44_100, length: 522, padding: 0 }],
    ['fff59000', { layer: 2, sampleRate: 22_050, length: 522, padding: 0 }],
    ['ffff9200', { layer: 1, sampleRate: 44_100, length: 316, padding: 1 }],
    ['fff79000', { layer: 1, sampleRate: 22_050, length: 312, padding: 0 }],
    ['fffb0000', { layer: 3, sampleRate: 44_100, length: undefined, padding: 0 }],
    ['fffbf000', undefined],
    ['fffb9c00', undefined],
    ['fffb9002', undefined],
    ['ffeb9000', undefined],
    ['fff99000', undefined],
    ['ffdb9000', undefined],
    ['fffb90', undefined],
  ] as const) {
    it(`the header ${header} is ${expected === undefined ? 'none' : `of layer ${expected.layer}`}`, () =>
      assert.deepEqual(parseFrame(hex(header)), expected));
  }
});

describe('the length of frames of a free bit rate', () => {
  const first = { layer: 3, sampleRate: 44_100, length: undefined, padding: 0 };
  const lengthOf = (padding: number, ...frames: Buffer[]) => {
    const bytes = joined('tag', ...frames);
    return freeLength(inMemory(bytes), 3, bytes.length, { ...first, padding });
  };
  const free = (length: number, padding: 0 | 1 = 0) => mp3Frame(0xfb, padding << 1, length + padding);

  it('is the distance to the next header, without padding', () => {
    assert.equal(lengthOf(0, free(300), free(300), free(300)), 300);
    assert.equal(lengthOf(1, free(300, 1), free(300), free(300)), 300);
    assert.equal(lengthOf(0, free(300), free(300, 1), free(300)), 300);
  });

  it('is unknown without a third header at the same distance', () => {
    assert.equal(lengthOf(0, free(300), free(300)), undefined);
    assert.equal(lengthOf(0, free(300), free(299), free(300)), undefined);
    assert.equal(lengthOf(0, free(300), mp3Frame(0xf3, 0, 300), free(300)), undefined);
  });
});
