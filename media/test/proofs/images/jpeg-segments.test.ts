// The segments of a JPEG: where each begins and ends, which markers may stand where, and where a scan ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSegments } from '../../../src/proofs/images/jpeg-segments.ts';
import { eoi, jpeg, plainJpeg, scan, segment, soi } from '../../helpers/jpeg-builder.ts';
import { hex, inMemory, joined, type Part } from '../../helpers/media-files.ts';

const comment = segment(0xfe, 'ab');

function read(bytes: Buffer) {
  return readSegments(inMemory(bytes));
}

/** The number of bytes of entropy-coded data and of restarts in the first scan. */
function scanOf(data: Part): [bytes: number, restarts: number] {
  const segments = read(jpeg(scan({ data })));
  assert.ok(typeof segments === 'object' && segments[0] !== undefined, JSON.stringify(segments));
  return [segments[0].end - segments[0].bodyEnd, segments[0].restarts];
}

describe('the segments of a JPEG', () => {
  it('the segments of a JPEG are listed with their places, from the first to the end marker', () => {
    const bytes = joined(soi, comment, segment(0xdd, [0, 7]), scan({ data: [1, 2, 3] }), eoi, 'not looked at');
    assert.deepEqual(read(bytes), [
      { marker: 0xfe, start: 2, bodyStart: 6, bodyEnd: 8, end: 8, restarts: 0 },
      { marker: 0xdd, start: 8, bodyStart: 12, bodyEnd: 14, end: 14, restarts: 0 },
      { marker: 0xda, start: 14, bodyStart: 18, bodyEnd: 24, end: 27, restarts: 0 },
      { marker: 0xd9, start: 27, bodyStart: 31, bodyEnd: 31, end: 29, restarts: 0 },
    ]);
  });

  it('up to 64 fill bytes before a marker belong to its segment', () => {
    for (const fill of [1, 3, 64]) {
      const bytes = joined(soi, Buffer.alloc(fill, 0xff), comment, Buffer.alloc(fill, 0xff), eoi);
      assert.deepEqual(read(bytes), [
        { marker: 0xfe, start: 2, bodyStart: 6 + fill, bodyEnd: 8 + fill, end: 8 + fill, restarts: 0 },
        {
          marker: 0xd9,
          start: 8 + fill,
          bodyStart: 12 + 2 * fill,
          bodyEnd: 12 + 2 * fill,
          end: 10 + 2 * fill,
          restarts: 0,
        },
      ]);
    }
  });

  const allowed = [0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc9, 0xca, 0xcb, 0xcc, 0xdb, 0xdd, 0xfe];
  const metadata = Array.from({ length: 16 }, (_, index) => 0xe0 + index);
  it('frames, tables, comments and metadata may stand before the end, and no other marker', () => {
    for (let marker = 0; marker < 0xff; marker++) {
      // They have no body, or end the list.
      if (marker === 0xd9 || marker === 0xda) continue;
      const found = read(jpeg(segment(marker, 'ab')));
      if (allowed.includes(marker) || metadata.includes(marker))
        assert.equal(typeof found, 'object', marker.toString(16));
      else assert.equal(found, `marker ${marker.toString(16)} out of place at 2`);
    }
  });

  for (const [what, bytes, reason] of [
    ['nothing behind the start', soi, 'no marker at 2'],
    ['half a marker', joined(soi, [0xff]), 'no marker at 2'],
    ['a byte that is no marker', joined(soi, [0x00, 0xfe, 0, 4], 'ab', eoi), 'no marker at 2'],
    ['a byte before a marker', joined(soi, 'A', comment, eoi), 'no marker at 2'],
    ['text between segments', jpeg(comment, '<script>'), 'no marker at 8'],
    ['no end marker', joined(soi, comment), 'no marker at 8'],
    ['65 fill bytes', joined(soi, Buffer.alloc(65, 0xff), comment, eoi), 'marker ff out of place at 2'],
    ['only fill bytes', joined(soi, Buffer.alloc(20, 0xff)), 'no marker at 2'],
    ['a marker without its length', joined(soi, [0xff, 0xfe]), 'truncated inside a segment length'],
    ['a marker with half its length', joined(soi, [0xff, 0xfe, 0]), 'truncated inside a segment length'],
    ['a length of 0', joined(soi, [0xff, 0xfe, 0, 0], eoi), 'segment at 2 has a wrong length'],
    ['a length of 1', joined(soi, [0xff, 0xfe, 0, 1], eoi), 'segment at 2 has a wrong length'],
    ['a length a byte beyond the file', joined(soi, [0xff, 0xfe, 0, 5, 1, 2]), 'segment at 2 has a wrong length'],
    ['a scan without an end', joined(soi, scan({ data: Buffer.alloc(100) })), 'truncated inside a scan'],
    ['a scan that ends with half a marker', joined(soi, scan({ data: [1, 0xff] })), 'truncated inside a scan'],
    ['a scan without data and end', joined(soi, scan({ data: [] })), 'truncated inside a scan'],
  ] as const) {
    it(`the segments of a JPEG are refused: ${what}`, () => assert.equal(read(bytes), reason));
  }

  it('a segment may be empty, and may end with the file if an end marker is not missing', () => {
    assert.deepEqual(read(jpeg(segment(0xfe)))?.length, 2);
    assert.equal(read(joined(soi, comment)), 'no marker at 8');
  });

  for (const [what, data, bytes, restarts] of [
    ['stuffed zeros', hex('01ff0002ff00'), 6, 0],
    ['a stuffed zero as the last byte', hex('ff00'), 2, 0],
    ['restarts in order', hex('01ffd002ffd103ffd204'), 10, 3],
    ['restarts that begin again after eight', hex('ffd0ffd1ffd2ffd3ffd4ffd5ffd6ffd7ffd0ffd1'), 20, 10],
    ['fill bytes before the marker that ends it', hex('01ffff'), 3, 0],
    ['no data', hex(''), 0, 0],
  ] as const) {
    it(`a scan contains ${what}`, () => assert.deepEqual(scanOf(data), [bytes, restarts]));
  }

  for (const [what, marker] of [
    ['a restart that is not the first', 'ffd1'],
    ['a marker between scans', 'ffc4'],
    ['a start of a picture', 'ffd8'],
    ['a marker that does not exist', 'ff42'],
  ] as const) {
    it(`a scan ends before ${what}`, () => {
      const found = read(joined(soi, scan({ data: [1, 2, 3] }), hex(marker), hex('0002'), eoi));
      const refused = `marker ${marker.slice(2)} out of place at 15`;
      if (marker !== 'ffc4') return assert.equal(found, refused);
      assert.deepEqual(typeof found === 'object' && found.map(({ marker }) => marker), [0xda, 0xc4, 0xd9]);
    });
  }

  it('a scan is searched across the pieces in which it is read', () => {
    for (let length = 65_534; length < 65_538; length++) {
      assert.deepEqual(scanOf(Buffer.alloc(length, 7)), [length, 0]);
      assert.deepEqual(scanOf(joined(Buffer.alloc(length, 7), [0xff, 0, 1])), [length + 3, 0]);
      assert.deepEqual(scanOf(joined(Buffer.alloc(length, 7), [0xff, 0xd0, 1, 0xff, 0xd1])), [length + 5, 2]);
    }
  });

  it('a JPEG may have 10,000 segments, and no segment more', () => {
    const of = (count: number) => read(jpeg(Buffer.alloc(4 * (count - 1), segment(0xfe))));
    assert.equal(of(10_000).length, 10_000);
    assert.equal(of(10_001), 'too many segments or scans');
  });

  it('a JPEG may have 500 scans, and no scan more', () => {
    const one = scan();
    const of = (count: number) => read(jpeg(Buffer.alloc(count * one.length, one)));
    assert.equal(of(500).length, 501);
    assert.equal(of(501), 'too many segments or scans');
  });

  it('the segments of a JPEG that is cut anywhere are refused', () => {
    for (let length = 2; length < plainJpeg.length; length++)
      assert.equal(typeof read(plainJpeg.subarray(0, length)), 'string', `${length}`);
  });
});
