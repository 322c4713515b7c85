// A WAV: one RIFF form as long as the file, a format that is possible before one block of samples, and only whole chunks.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveWav } from '../../../src/proofs/audio/wav.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { chunk, format, riff } from '../../helpers/media-builders.ts';
import { fixtures, joined, patched, u16le, u32le } from '../../helpers/media-files.ts';

const samples = chunk('data', Buffer.alloc(10));
const list = chunk('LIST', Buffer.from('INFO'));
const empty = chunk('note', Buffer.alloc(0));
const whole = riff(format(), samples);

/** As a program writes it that does not know how much will follow. */
function piped(formLength: number, dataLength: number, bytes: number): Buffer {
  return joined('RIFF', u32le(formLength), 'WAVE', format(), list, 'data', u32le(dataLength), Buffer.alloc(bytes, 'x'));
}

/** A format with more than its 16 bytes. */
function longer(bytes: number, shape: Parameters<typeof format>[0]): Buffer {
  return chunk('fmt ', joined(format(shape).subarray(8), Buffer.alloc(bytes - 16)));
}

describe('a whole WAV', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type === 'audio/wav')) {
    it(`a WAV of a real program is proved: ${name}`, () =>
      assert.deepEqual(proofOf(proveWav, bytes), proved('audio/wav')));
  }

  for (const [what, bytes] of [
    ['a format and samples', whole],
    ['other chunks before, between and after', riff(list, format(), list, samples, list)],
    ['an odd chunk with its padding', riff(format(), chunk('data', Buffer.alloc(9)), list)],
    [
      'an odd last chunk without its padding',
      (() => {
        const bytes = riff(format(), chunk('data', Buffer.alloc(9))).subarray(0, -1);
        return patched(bytes, 4, u32le(bytes.length - 8));
      })(),
    ],
    [
      'an odd last chunk whose padding is not counted',
      (() => {
        const bytes = riff(format(), chunk('data', Buffer.alloc(9)));
        return patched(bytes, 4, u32le(bytes.length - 9));
      })(),
    ],
    ...([0, 0x7fff0000, 0x7fffffff, 0x80000024, 0xffffffff] as const).map((length): [string, Buffer] => [
      `lengths that a program writes into a pipe: ${length}`,
      piped(length, length, 10),
    ]),
    ['a form of unknown length with samples of known length', patched(whole, 4, u32le(0xffffffff))],
    ['an odd number of samples from a pipe', piped(0xffffffff, 0xffffffff, 9)],
    ['padding that is not zero', riff(format(), joined('data', u32le(1), 'xy'), list)],
    ['one byte of samples', riff(format(), chunk('data', Buffer.alloc(1)))],
    ['64 channels', riff(format({ channels: 64, block: 64, byteRate: 64 * 8_000 }), samples)],
    ['the highest sample rate', riff(format({ rate: 768_000, byteRate: 768_000 }), samples)],
    ['16 bits in stereo', riff(format({ channels: 2, bits: 16, block: 4, byteRate: 32_000 }), samples)],
    ['12 bits in two bytes', riff(format({ bits: 12, block: 2, byteRate: 16_000 }), samples)],
    ['64 bits of floating point', riff(format({ coding: 3, bits: 64, block: 8, byteRate: 64_000 }), samples)],
    ['a format of 18 bytes', riff(longer(18, {}), samples)],
    ['a format of 1,024 bytes', riff(longer(1_024, {}), samples)],
    ['an extensible format', riff(longer(40, { coding: 0xfffe }), samples)],
    ...[0x02, 0x06, 0x07, 0x11, 0x31, 0x55].map((coding): [string, Buffer] => [
      `coding ${coding}, whose bytes and bits are not compared`,
      riff(format({ coding, bits: 0, block: 7, byteRate: 1 }), samples),
    ]),
  ] as [string, Buffer][]) {
    it(`a WAV is proved: ${what}`, () => assert.deepEqual(proofOf(proveWav, bytes), proved('audio/wav')));
  }

  it('a WAV is proved with 1,000 chunks, and with no chunk more', () => {
    const of = (count: number) => riff(format(), samples, Buffer.alloc((count - 2) * empty.length, empty));
    assert.deepEqual(proofOf(proveWav, of(1_000)), proved('audio/wav'));
    assert.deepEqual(proofOf(proveWav, of(1_001)), corrupt('audio/wav', 'broken chunks'));
  });
});

describe('a broken WAV', () => {
  const formatted = (shape: Parameters<typeof format>[0]) => riff(format(shape), samples);
  const notWhole = 'the form is not as long as the file';
  const contradiction = 'a format that contradicts itself';
  for (const [what, bytes, reason] of [
    ['a byte behind the form', joined(whole, 'x'), notWhole],
    ['two bytes behind a form of odd length', patched(joined(whole, 'xyz'), 4, u32le(whole.length - 7)), notWhole],
    ['cut', whole.subarray(0, -2), notWhole],
    ['a size that is almost unknown', patched(whole, 4, u32le(0x7ffeffff)), notWhole],
    [
      'a form of unknown length that is cut',
      patched(whole, 4, u32le(0xffffffff)).subarray(0, -2),
      'a chunk is truncated',
    ],
    [
      'a form of unknown length with a byte behind its samples',
      joined(patched(whole, 4, u32le(0)), 'x'),
      'broken chunks',
    ],
    ['a pipe that ended before the samples', piped(0xffffffff, 0xffffffff, 0), 'not exactly one block of samples'],
    [
      'samples of unknown length in a form of known length',
      riff(format(), chunk('data', Buffer.alloc(0)), list),
      'not exactly one block of samples',
    ],
    [
      'another chunk of unknown length',
      joined('RIFF', u32le(0), 'WAVE', format(), 'LIST', u32le(0xffffffff), 'words'),
      'a chunk is truncated',
    ],
    ['half a chunk head', riff(format(), samples, joined('note\0\0\0')), 'broken chunks'],
    ['a chunk longer than the file', riff(format(), chunk('data', Buffer.alloc(100), 101)), 'a chunk is truncated'],
    ['a chunk of 4 GiB', riff(format(), chunk('data', Buffer.alloc(100), 0xffffffff)), 'a chunk is truncated'],
    ['a chunk without a name', riff(format(), samples, chunk('\0\0\0\0', Buffer.alloc(4))), 'a chunk without a name'],
    [
      'a chunk with a control character in its name',
      riff(format(), samples, chunk('no\x7fe', Buffer.alloc(4))),
      'a chunk without a name',
    ],
    ['no format', riff(samples), 'not exactly one format'],
    ['two formats', riff(format(), format(), samples), 'not exactly one format'],
    ['no samples', riff(format()), 'not exactly one block of samples'],
    ['two blocks of samples', riff(format(), samples, samples), 'not exactly one block of samples'],
    ['an empty block of samples', riff(format(), chunk('data', Buffer.alloc(0))), 'not exactly one block of samples'],
    ['samples before their format', riff(samples, format()), 'samples before their format'],
    ['a format of 15 bytes', riff(chunk('fmt ', Buffer.alloc(15)), samples), 'a format of impossible length'],
    ['a format of 1,025 bytes', riff(longer(1_025, {}), samples), 'a format of impossible length'],
    [
      'an extensible format of 39 bytes',
      riff(longer(39, { coding: 0xfffe }), samples),
      'an extensible format without its extension',
    ],
    ['no channel', formatted({ channels: 0 }), 'impossible number of channels'],
    ['65 channels', formatted({ channels: 65, block: 65, byteRate: 65 * 8_000 }), 'impossible number of channels'],
    ['no sample rate', formatted({ rate: 0 }), 'impossible sample rate'],
    ['a sample rate of 768,001', formatted({ rate: 768_001, byteRate: 768_001 }), 'impossible sample rate'],
    ['blocks without bytes', formatted({ block: 0, byteRate: 0 }), 'blocks without bytes'],
    ['no bits', formatted({ bits: 0 }), contradiction],
    ['72 bits', formatted({ bits: 72, block: 9, byteRate: 72_000 }), contradiction],
    ['blocks of another length than the channels and bits', formatted({ block: 2, byteRate: 16_000 }), contradiction],
    ['another rate of bytes than the blocks', formatted({ byteRate: 9_000 }), contradiction],
    ['floating point with another rate of bytes', formatted({ coding: 3, byteRate: 9_000 }), contradiction],
  ] as const) {
    it(`a WAV is refused: ${what}`, () => assert.deepEqual(proofOf(proveWav, bytes), corrupt('audio/wav', reason)));
  }

  it('a WAV is refused when it is cut anywhere', () =>
    assertNoCutIsProved(proveWav, riff(list, format(), samples, list)));

  it('a WAV is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(proveWav, riff(list, format(), samples, list)));
});

describe('a WAV that browsers do not play', () => {
  for (const [what, bytes] of [
    ['an unknown coding', riff(format({ coding: 0x1234 }), samples)],
    ['coding 0', riff(format({ coding: 0 }), samples)],
    ['a form for more than 4 GiB', patched(whole, 0, 'RF64')],
    ['a broadcast form for more than 4 GiB', patched(whole, 0, 'BW64')],
  ] as const) {
    it(`a WAV is excluded by the rule for codecs: ${what}`, () =>
      assert.deepEqual(proofOf(proveWav, bytes), excluded('audio/wav', 'sound-codec')));
  }
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['a film in a RIFF form', joined('RIFF', u32le(4), 'AVI ')],
    ['a form of the other byte order', joined('RIFX', u32le(4), 'WAVE')],
    ['a form that is cut in its name', joined('RIFF', u32le(4), 'WAV')],
    ['words', joined('RIFF and ', u16le(0x2020), 'WAVE')],
  ] as const) {
    it(`a file is not taken for a WAV: ${what}`, () => assert.equal(proofOf(proveWav, bytes), undefined));
  }
});
