// A JPEG: one frame, tables before the scans that use them, scans that are possible, and anything after the end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/proof.ts';
import { proveJpeg } from '../../../src/proofs/images/jpeg.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import {
  frame,
  huffman,
  huffmanTable,
  jpeg,
  plainJpeg,
  quantization,
  restartInterval,
  scan,
  segment,
  soi,
  tables,
  withPictures,
} from '../../helpers/jpeg-builder.ts';
import { trailers } from '../../helpers/jpeg-trailers.ts';
import { hex, joined, type Part, picture } from '../../helpers/media-files.ts';

const one = { width: 1, height: 1 };
const isProved = proved('image/jpeg', one);
const refused = (reason: string) => corrupt('image/jpeg', reason);
const ids = [{ id: 1 }, { id: 2 }, { id: 3 }];
const dc = scan({ progress: [0, 0, 0] });

function judge(...parts: Part[]) {
  return proofOf(proveJpeg, jpeg(...parts));
}

describe('a whole JPEG', () => {
  for (const name of ['baseline', 'progressive', 'mozjpeg', 'grey', 'cmyk', 'with-a-profile', 'from-a-phone']) {
    it(`a JPEG of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(
        proofOf(proveJpeg, picture(`sharp-${name}.jpg`)),
        proved('image/jpeg', { width: 24, height: 16 }),
      ));
  }

  const deep = [8, 12];
  const any = Array.from({ length: 15 }, (_, index) => index + 2);
  const kinds: [marker: number, name: string, precisions: number[]][] = [
    [0xc0, 'baseline', [8]],
    [0xc1, 'extended', deep],
    [0xc2, 'progressive', deep],
    [0xc3, 'lossless', any],
    [0xc9, 'extended arithmetic', deep],
    [0xca, 'progressive arithmetic', deep],
    [0xcb, 'lossless arithmetic', any],
  ];
  for (const [marker, name, precisions] of kinds) {
    it(`a ${name} JPEG is proved with the precisions of its kind, and with no other`, () => {
      for (let precision = 0; precision <= 17; precision++) {
        const proof = judge(tables, frame({ marker, precision }), dc);
        assert.deepEqual(proof, precisions.includes(precision) ? isProved : refused(`precision ${precision}`));
      }
    });
  }

  for (const [what, parts, size = one] of [
    ['the largest size', [tables, frame({ width: 65_535, height: 65_535 }), scan()], { width: 65_535, height: 65_535 }],
    ['wider than high', [tables, frame({ width: 7, height: 3 }), scan()], { width: 7, height: 3 }],
    ['the frame before the tables', [frame(), tables, scan()]],
    [
      'metadata between all segments',
      [segment(0xe1, 'Exif'), tables, segment(0xfe), frame(), segment(0xef), scan(), segment(0xe0, 'late')],
    ],
    [
      'four components in one scan',
      [
        tables,
        frame({ components: [...ids, { id: 4 }] }),
        scan({
          components: [
            [1, 0],
            [2, 0],
            [3, 0],
            [4, 0],
          ],
        }),
      ],
    ],
    [
      'each component in its own scan',
      [tables, frame({ components: ids }), scan(), scan({ components: [[2, 0]] }), scan({ components: [[3, 0]] })],
    ],
    ['the largest sampling factors', [tables, frame({ components: [{ id: 1, sampling: 0x44 }] }), scan()]],
    [
      'different sampling factors',
      [
        tables,
        frame({
          components: [
            { id: 1, sampling: 0x14 },
            { id: 2, sampling: 0x41 },
          ],
        }),
        scan({
          components: [
            [1, 0],
            [2, 0],
          ],
        }),
      ],
    ],
    [
      'four quantization tables in one segment, of both precisions',
      [quantization(0x10, 1, 2, 0x13), huffman(0x00, 0x10), frame({ components: [{ id: 1, table: 3 }] }), scan()],
    ],
    ['the last Huffman tables', [quantization(0), huffman(0x03, 0x13), frame(), scan({ components: [[1, 0x33]] })]],
    [
      'a full Huffman table',
      [quantization(0), segment(0xc4, joined(huffmanTable(0x00, [0, 4]), huffmanTable(0x10, [2]))), frame(), scan()],
    ],
    [
      'a Huffman table without codes',
      [quantization(0), segment(0xc4, joined(huffmanTable(0x00, []), huffmanTable(0x10, [1]))), frame(), scan()],
    ],
    ['restarts at the interval that was set', [tables, restartInterval(1), frame(), scan({ data: hex('01ffd002') })]],
    ['an interval and no restart', [tables, restartInterval(9), frame(), scan()]],
    ['arithmetic conditioning', [quantization(0), segment(0xcc, hex('0000')), frame({ marker: 0xc9 }), scan()]],
    ['arithmetic coding without Huffman tables', [quantization(0), frame({ marker: 0xc9 }), scan()]],
    [
      'progressive arithmetic coding without Huffman tables',
      [quantization(0), frame({ marker: 0xca }), dc, scan({ progress: [1, 63, 0] })],
    ],
    ['lossless coding without quantization and AC tables', [huffman(0x00), frame({ marker: 0xc3 }), scan()]],
    ['lossless arithmetic coding without any tables', [frame({ marker: 0xcb }), scan()]],
    ['a DC scan without an AC table', [quantization(0), huffman(0x00), frame({ marker: 0xc2 }), dc]],
    [
      'an AC scan without a DC table of its own',
      [
        quantization(0),
        huffman(0x00, 0x10),
        frame({ marker: 0xc2 }),
        dc,
        scan({ components: [[1, 0x30]], progress: [1, 63, 0] }),
      ],
    ],
    [
      'a refinement of DC without a DC table',
      [
        quantization(0),
        huffman(0x00),
        frame({ marker: 0xc2 }),
        dc,
        scan({ components: [[1, 0x33]], progress: [0, 0, 0x10] }),
      ],
    ],
    ['an AC band of one coefficient', [tables, frame({ marker: 0xc2 }), dc, scan({ progress: [63, 63, 0] })]],
    [
      'the largest successive approximation',
      [tables, frame({ marker: 0xc2 }), scan({ progress: [0, 0, 13] }), scan({ progress: [1, 5, 0xed] })],
    ],
    [
      'DC of several components at once',
      [
        tables,
        frame({ marker: 0xc2, components: ids }),
        scan({
          components: [
            [1, 0],
            [2, 0],
            [3, 0],
          ],
          progress: [0, 0, 0],
        }),
      ],
    ],
    ['a baseline scan whose progression is not looked at', [tables, frame(), scan({ progress: [9, 1, 0xff] })]],
  ] as [string, Part[], { width: number; height: number }?][]) {
    it(`a JPEG is proved: ${what}`, () => assert.deepEqual(judge(...parts), proved('image/jpeg', size)));
  }
});

describe('the scans of a JPEG', () => {
  const of = (scans: number, width: number, height: number) =>
    proofOf(proveJpeg, jpeg(tables, frame({ width, height }), ...Array<Buffer>(scans).fill(scan())));
  for (const [scans, width, height] of [
    [20, 60_000, 60_000],
    [21, 10_000, 11_904],
    [50, 10_000, 5_000],
    [500, 2_000, 2_500],
  ] as const) {
    it(`a JPEG of ${width} by ${height} may have ${scans} scans`, () =>
      assert.deepEqual(of(scans, width, height), proved('image/jpeg', { width, height })));
  }
  for (const [scans, width, height] of [
    [21, 10_000, 11_905],
    [51, 10_000, 5_000],
    [500, 2_000, 2_501],
  ] as const) {
    it(`a JPEG of ${width} by ${height} may not have ${scans} scans`, () =>
      assert.deepEqual(of(scans, width, height), corrupt('image/jpeg', 'too many scans for its size')));
  }
});

describe('a broken JPEG', () => {
  const progressive = frame({ marker: 0xc2 });
  const quant = (body: Part) => [segment(0xdb, body), huffman(0x00, 0x10), frame(), scan()];
  const codes = (body: Part) => [quantization(0), segment(0xc4, body), frame(), scan()];
  const scanned = (options: Parameters<typeof scan>[0]) => [
    tables,
    frame({ components: ids }),
    scan({
      components: [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    }),
    scan(options),
  ];
  for (const [what, parts, reason] of [
    ['nothing but start and end', [], 'no frame header'],
    ['no frame', [tables], 'no frame header'],
    ['no scan', [tables, frame()], 'a component has no scan'],
    ['a scan before the frame', [tables, scan(), frame()], 'scan before the frame header'],
    ['two frames', [tables, frame(), frame(), scan()], 'more than one frame'],
    [
      'two frames that contradict each other',
      [tables, frame(), frame({ marker: 0xc1, width: 9 }), scan()],
      'more than one frame',
    ],
    ['a broken segment', [tables, frame(), '<script>', scan()], `no marker at ${joined(soi, tables, frame()).length}`],
    ['no width', [tables, frame({ width: 0 }), scan()], 'no width or height'],
    ['no height', [tables, frame({ height: 0 }), scan()], 'no width or height'],
    ['no components', [tables, frame({ components: [] }), scan()], 'wrong frame header'],
    ['five components', [tables, frame({ components: [...ids, { id: 4 }, { id: 5 }] }), scan()], 'wrong frame header'],
    [
      'a frame header that is too short',
      [tables, segment(0xc0, frame().subarray(4, -1)), scan()],
      'wrong frame header',
    ],
    [
      'a frame header that is too long',
      [tables, segment(0xc0, joined(frame().subarray(4), [0])), scan()],
      'wrong frame header',
    ],
    ['an empty frame header', [tables, segment(0xc0), scan()], 'wrong frame header'],
    ...[0x01, 0x10, 0x51, 0x15].map((sampling): [string, Part[], string] => [
      `sampling factors ${sampling.toString(16)}`,
      [tables, frame({ components: [{ id: 1, sampling }] }), scan()],
      'wrong sampling factors',
    ]),
    [
      'two components with one name',
      [tables, frame({ components: [{ id: 1 }, { id: 1 }] }), scan()],
      'two components with one name',
    ],
    ['an empty quantization segment', quant(''), 'quantization table with a wrong length'],
    ['a quantization table a byte too short', quant(Buffer.alloc(64)), 'quantization table with a wrong length'],
    ['a quantization table a byte too long', quant(Buffer.alloc(66)), 'quantization table with a wrong length'],
    [
      'a 16-bit quantization table of 8-bit length',
      quant(joined([0x10], Buffer.alloc(64))),
      'quantization table with a wrong length',
    ],
    ['quantization table 4', quant(joined([4], Buffer.alloc(64))), 'wrong quantization table'],
    [
      'a quantization table of an unknown precision',
      quant(joined([0x20], Buffer.alloc(64))),
      'wrong quantization table',
    ],
    ['an empty Huffman segment', codes(''), 'Huffman table with a wrong length'],
    ['Huffman table 4', codes(huffmanTable(0x04, [1])), 'wrong Huffman table'],
    ['a Huffman table of class 2', codes(huffmanTable(0x20, [1])), 'wrong Huffman table'],
    ['a Huffman table cut in its counts', codes(huffmanTable(0x00, []).subarray(0, 16)), 'wrong Huffman table'],
    ['a Huffman table with a symbol too few', codes(huffmanTable(0x00, [1], 0)), 'Huffman table with a wrong length'],
    [
      'a Huffman table with three codes of one bit',
      codes(huffmanTable(0x00, [3])),
      'Huffman table with too many codes',
    ],
    [
      'a Huffman table with five codes of two bits',
      codes(huffmanTable(0x00, [0, 5])),
      'Huffman table with too many codes',
    ],
    [
      'a Huffman table with a code behind a full level',
      codes(huffmanTable(0x00, [2, 1])),
      'Huffman table with too many codes',
    ],
    [
      'arithmetic conditioning without values',
      [tables, segment(0xcc), frame(), scan()],
      'wrong arithmetic conditioning',
    ],
    [
      'arithmetic conditioning of three bytes',
      [tables, segment(0xcc, [0, 0, 0]), frame(), scan()],
      'wrong arithmetic conditioning',
    ],
    ['an interval of one byte', [tables, segment(0xdd, [1]), frame(), scan()], 'wrong restart interval'],
    ['an interval of three bytes', [tables, segment(0xdd, [0, 0, 1]), frame(), scan()], 'wrong restart interval'],
    ['restarts without an interval', scanned({ data: hex('01ffd002') }), 'restart marker without an interval'],
    [
      'restarts after the interval was set back to 0',
      [tables, restartInterval(3), restartInterval(0), frame(), scan({ data: hex('01ffd002') })],
      'restart marker without an interval',
    ],
    ['a scan without data', scanned({ data: [] }), 'scan without data'],
    ['a scan of no component', scanned({ components: [] }), 'wrong scan header'],
    [
      'a scan of five components',
      scanned({
        components: [
          [1, 0],
          [2, 0],
          [3, 0],
          [1, 0],
          [2, 0],
        ],
      }),
      'wrong scan header',
    ],
    ['a scan header that is too short', scanned({ progress: [0, 63] }), 'wrong scan header'],
    ['a scan header that is too long', scanned({ progress: [0, 63, 0, 0] }), 'wrong scan header'],
    ['a scan of a component that is missing', scanned({ components: [[9, 0]] }), 'scan of a missing component'],
    [
      'a component without a scan',
      [
        tables,
        frame({ components: ids }),
        scan({
          components: [
            [1, 0],
            [2, 0],
          ],
        }),
      ],
      'a component has no scan',
    ],
    ['no quantization table', [huffman(0x00, 0x10), frame(), scan()], 'scan without its tables'],
    ['another quantization table', [quantization(1), huffman(0x00, 0x10), frame(), scan()], 'scan without its tables'],
    ['no Huffman table', [quantization(0), frame(), scan()], 'scan without its tables'],
    ['no DC table', [quantization(0), huffman(0x10), frame(), scan()], 'scan without its tables'],
    ['no AC table', [quantization(0), huffman(0x00), frame(), scan()], 'scan without its tables'],
    [
      'a DC table under another number',
      [quantization(0), huffman(0x01, 0x10), frame(), scan()],
      'scan without its tables',
    ],
    [
      'an AC table under another number',
      [quantization(0), huffman(0x00, 0x11), frame(), scan()],
      'scan without its tables',
    ],
    ['tables behind the scan', [frame(), scan(), tables], 'scan without its tables'],
    [
      'lossless coding without a Huffman table',
      [quantization(0), frame({ marker: 0xc3 }), scan()],
      'scan without its tables',
    ],
    ['arithmetic coding without a quantization table', [frame({ marker: 0xc9 }), scan()], 'scan without its tables'],
    [
      'a first DC scan without a DC table',
      [quantization(0), huffman(0x10), progressive, dc],
      'scan without its tables',
    ],
    [
      'an AC scan without an AC table',
      [quantization(0), huffman(0x00), progressive, dc, scan({ progress: [1, 5, 0] })],
      'scan without its tables',
    ],
    ['an AC scan before any DC scan', [tables, progressive, scan({ progress: [1, 5, 0] })], 'AC before DC'],
    ['DC and AC in one scan', [tables, progressive, scan({ progress: [0, 5, 0] })], 'wrong progression'],
    [
      'an AC band that ends before it begins',
      [tables, progressive, dc, scan({ progress: [5, 4, 0] })],
      'wrong progression',
    ],
    ['an AC band beyond 63', [tables, progressive, dc, scan({ progress: [1, 64, 0] })], 'wrong progression'],
    [
      'an AC scan of two components',
      [
        tables,
        frame({ marker: 0xca, components: ids }),
        scan({
          components: [
            [1, 0],
            [2, 0],
          ],
          progress: [1, 5, 0],
        }),
      ],
      'wrong progression',
    ],
    [
      'a successive approximation of 14 bits',
      [tables, progressive, scan({ progress: [0, 0, 14] })],
      'wrong progression',
    ],
  ] as [string, Part[], string][]) {
    it(`a JPEG is refused: ${what}`, () => assert.deepEqual(judge(...parts), refused(reason)));
  }

  it('a JPEG is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveJpeg, picture('sharp-baseline.jpg'));
    assertNoCutIsProved(proveJpeg, picture('sharp-mozjpeg.jpg'));
  });

  it('a JPEG is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveJpeg, plainJpeg);
    assertDamageIsBounded(proveJpeg, picture('sharp-mozjpeg.jpg'));
  });
});

describe('what follows the end of a JPEG', () => {
  const second = jpeg(tables, frame({ width: 2 }), scan());

  for (const [what, bytes] of [
    ...trailers.map(([name, tail]) => [name, joined(plainJpeg, tail)] as const),
    ['pictures that an index lists', withPictures(plainJpeg, [second, second])],
    ['an index that points elsewhere', withPictures(plainJpeg, [second], 1)],
    [
      'an index, padding between the pictures, and bytes after the last',
      joined(withPictures(plainJpeg, [joined([0], second)], 1), 'more'),
    ],
    ['a listed picture that is a page', withPictures(plainJpeg, [Buffer.from('<script>alert(1)</script>')])],
    ['a listed picture that is cut', withPictures(plainJpeg, [second.subarray(0, -4)])],
    ['a listed picture that is broken', withPictures(plainJpeg, [jpeg(frame(), scan())])],
    ['a listed picture with a trailer of its own', withPictures(plainJpeg, [joined(second, 'more')])],
  ] as const) {
    it(`a JPEG is proved with the size of its first picture, whatever follows its end: ${what}`, () =>
      assert.deepEqual(proofOf(proveJpeg, bytes), isProved));
  }

  it('the bytes that follow the end of a JPEG are not read', () => {
    const read = (position: number, length: number) => {
      assert.ok(position < plainJpeg.length, `read at ${position}`);
      return plainJpeg.subarray(position, position + length);
    };
    assert.deepEqual(proveJpeg({ size: 10 ** 9, read }), isProved);
  });

  it('an end marker in a thumbnail is not the end of a JPEG', () => {
    const thumbnail = segment(0xe1, joined('Exif\0\0', second));
    assert.deepEqual(
      judge(thumbnail, tables, frame({ width: 9 }), scan()),
      proved('image/jpeg', { width: 9, height: 1 }),
    );
    assert.deepEqual(proofOf(proveJpeg, joined(soi, thumbnail)), refused(`no marker at ${2 + thumbnail.length}`));
  });

  it('a JPEG is refused if a picture that its index lists has an index itself', () =>
    assert.deepEqual(
      proofOf(proveJpeg, withPictures(plainJpeg, [withPictures(second, [plainJpeg])])),
      refused('pictures inside pictures'),
    ));
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['a start without a marker behind it', soi],
    ['a start with text behind it', joined(soi, 'text')],
    ['a frame of MP3', hex('fffb9000')],
  ] as const) {
    it(`a file is not taken for a JPEG: ${what}`, () => assert.equal(proofOf(proveJpeg, bytes), undefined));
  }
});
