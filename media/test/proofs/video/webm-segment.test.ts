// The segment of a WebM: it ends with the file, each element fits its parent and stands where it may, and padding has a limit.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Objection } from '../../../src/proof.ts';
import { ids } from '../../../src/proofs/video/webm-elements.ts';
import { walkSegment } from '../../../src/proofs/video/webm-segment.ts';
import { element } from '../../helpers/media-builders.ts';
import { hex, inMemory, joined, type Part } from '../../helpers/media-files.ts';
import { segment } from '../../helpers/webm-builder.ts';

const before = 'header';
const free = element(ids.void, 'x');
const timestamp = element(ids.timestamp, [0]);

function walk(bytes: Buffer, take: Parameters<typeof walkSegment>[2] = () => undefined): Objection | undefined {
  return walkSegment(inMemory(joined(before, bytes)), before.length, take);
}

/** Each element with its parent, in the order of the walk. */
function visited(bytes: Buffer): string[] {
  const names = new Map<number, string>(Object.entries(ids).map(([name, id]) => [id, name]));
  const seen: string[] = [];
  const defect = walk(bytes, ({ id }, parent) => {
    seen.push(`${names.get(id) ?? id.toString(16)} in ${names.get(parent)}`);
    return undefined;
  });
  assert.equal(defect, undefined);
  return seen;
}

function judge(...parts: Part[]): Objection | undefined {
  return walk(segment(...parts));
}

/** One element inside the other, the last of these content. */
function nest(content: Part, ...path: number[]): Buffer {
  return path.reduceRight((inner, id) => element(id, inner), joined(content));
}

describe('a whole segment', () => {
  it('every element is visited in order, before its children, with its parent', () => {
    const group = element(ids.blockGroup, joined(element(ids.block, 'x'), element(0x9b, [1])));
    const bytes = segment(
      nest(free, ids.info),
      nest('', ids.tracks, ids.trackEntry, ids.video),
      free,
      element(ids.cluster, joined(timestamp, group, element(ids.simpleBlock, 'x'))),
      element(ids.chapters, 'x'),
    );
    assert.deepEqual(visited(bytes), [
      'info in segment',
      'void in info',
      'tracks in segment',
      'trackEntry in tracks',
      'video in trackEntry',
      'void in segment',
      'cluster in segment',
      'timestamp in cluster',
      'blockGroup in cluster',
      'block in blockGroup',
      '9b in blockGroup',
      'simpleBlock in cluster',
      'chapters in segment',
    ]);
  });

  for (const [what, bytes] of [
    ['an empty segment', segment()],
    ['a segment of open length', element(ids.segment, joined(free, free), 'open')],
    ['an empty segment of open length', element(ids.segment, '', 'open')],
    ['a last cluster of open length', segment(element(ids.cluster, timestamp, 'open'))],
    [
      'clusters of open length, one after the other',
      element(
        ids.segment,
        joined(element(ids.cluster, timestamp, 'open'), element(ids.cluster, timestamp, 'open')),
        'open',
      ),
    ],
    [
      'a cluster of open length that other parts of the segment follow',
      segment(element(ids.cluster, timestamp, 'open'), element(ids.cues, ''), element(ids.tags, '')),
    ],
    [
      'a cluster of open length that chapters follow',
      segment(element(ids.cluster, timestamp, 'open'), element(ids.chapters, 'x')),
    ],
    [
      'padding and checksums anywhere',
      segment(free, element(ids.checksum, 'abcd'), nest(free, ids.tags, ids.tag), nest(free, ids.cluster)),
    ],
    [
      'lists of places and cues',
      segment(
        nest(element(0x53ab, 'x'), ids.seekHead, ids.seek),
        nest(element(0xf7, [1]), ids.cues, ids.cuePoint, ids.cuePositions),
      ),
    ],
    [
      'tags, with targets and tags inside tags',
      segment(
        nest(
          joined(element(ids.targets, ''), nest(element(0x45a3, 'TITLE'), ids.simpleTag, ids.simpleTag)),
          ids.tags,
          ids.tag,
        ),
      ),
    ],
    ['sound of a track', segment(nest(element(0x9f, [2]), ids.tracks, ids.trackEntry, ids.audio))],
    [
      'position, previous size and silent tracks of a cluster',
      segment(nest(joined(element(0xa7, [0]), element(0xab, [0]), element(0x5854, '')), ids.cluster)),
    ],
    ['unknown elements in other elements', segment(nest(element(0x61a7, 'words'), ids.info))],
  ] as const) {
    it(`a segment is accepted: ${what}`, () => assert.equal(walk(bytes), undefined));
  }

  it('an element is in at most twelve others', () => {
    // Segment, tags and tag are the first three.
    const tags = (count: number) =>
      judge(nest('', ids.tags, ids.tag, ...Array<number>(count).fill(ids.simpleTag), ids.void));
    assert.equal(tags(9), undefined);
    assert.equal(tags(10), 'elements nested too deep');
  });

  it('10,000 elements are free, and more need eight bytes each', () => {
    const empty = hex('ec80');
    const of = (count: number) => judge(Buffer.alloc(2 * count, empty));
    const size = (count: number) => joined(before, segment()).length + 2 * count;
    // The limit grows by a quarter of an element with each empty element.
    const most = Math.floor((10_000 + size(0) / 8 + 1) / (1 - 2 / 8));
    assert.equal(of(most), undefined);
    assert.equal(of(most + 1), 'too many elements');
  });
});

describe('a broken segment', () => {
  const wrongPlace = 'an element in the wrong place';
  for (const [what, bytes, reason] of [
    ['another element', element(ids.void, ''), 'no segment'],
    ['nothing', Buffer.alloc(0), 'no segment'],
    ['a segment that ends before the file', joined(segment(free), 'x'), 'the segment does not end with the file'],
    ['a segment that ends behind the file', segment(free).subarray(0, -1), 'the segment does not end with the file'],
    ['a second segment', joined(segment(), segment()), 'the segment does not end with the file'],
    ['zeros', segment(Buffer.alloc(9)), 'unknown data between elements'],
    [
      'words in an open segment',
      element(ids.segment, joined(free, '\0words'), 'open'),
      'unknown data between elements',
    ],
    ['an element longer than the segment', segment(element(ids.void, 'x', 2)), 'an element is longer than its parent'],
    [
      'an element longer than its cluster',
      segment(nest(element(ids.void, 'x', 9), ids.cluster), Buffer.alloc(20)),
      'an element is longer than its parent',
    ],
    [
      'an element whose head is longer than its parent',
      segment(element(ids.info, hex('ec')), free),
      'an element is longer than its parent',
    ],
    [
      'an element in an open cluster longer than the segment',
      segment(element(ids.cluster, element(ids.simpleBlock, 'x', 9), 'open')),
      'an element is longer than its parent',
    ],
    ['tracks of open length', segment(element(ids.tracks, '', 'open')), 'an element without a length'],
    ['padding of open length', segment(element(ids.void, '', 'open')), 'an element without a length'],
    [
      'a parent that is cut',
      element(ids.segment, element(ids.info, '', 5), 'open'),
      'an element is longer than its parent',
    ],
    [
      'an unknown element in the segment',
      segment(element(0x1941a46a, 'attached')),
      'an unknown element in the segment',
    ],
    ['a block in the segment', segment(element(ids.block, 'x')), 'an unknown element in the segment'],
    [
      'an unknown element in a cluster',
      segment(nest(element(0x61a7, 'x'), ids.cluster)),
      'an unknown element in a cluster',
    ],
    [
      'chapters in a cluster',
      segment(nest(element(ids.chapters, 'x'), ids.cluster)),
      'an unknown element in a cluster',
    ],
    [
      'a block in a cluster without its group',
      segment(nest(element(ids.block, 'x'), ids.cluster)),
      'an unknown element in a cluster',
    ],
    [
      'a simple block in a block group',
      segment(nest(element(ids.simpleBlock, 'x'), ids.cluster, ids.blockGroup)),
      wrongPlace,
    ],
    ['a simple block among the tags', segment(nest(element(ids.simpleBlock, 'x'), ids.tags)), wrongPlace],
    ['a block among the tags', segment(nest(element(ids.block, 'x'), ids.tags)), wrongPlace],
    ['a track outside the tracks', segment(element(ids.trackEntry, '')), wrongPlace],
    ['a video outside a track', segment(nest('', ids.info, ids.video)), wrongPlace],
    ['a cluster in a cluster', segment(nest(element(ids.cluster, ''), ids.cluster)), wrongPlace],
    ['attachments', segment(element(ids.attachments, 'x')), { rule: 'hidden-file' }],
    [
      'attachments in a cluster',
      segment(nest(element(ids.attachments, 'x'), ids.cluster)),
      'an unknown element in a cluster',
    ],
    ['a segment in the segment', segment(segment()), 'an unknown element in the segment'],
  ] as const) {
    it(`a segment is refused: ${what}`, () => assert.deepEqual(walk(bytes), reason));
  }

  const places: [child: keyof typeof ids, parents: (keyof typeof ids)[]][] = [
    ['seekHead', ['segment']],
    ['seek', ['seekHead']],
    ['info', ['segment']],
    ['tracks', ['segment']],
    ['trackEntry', ['tracks']],
    ['video', ['trackEntry']],
    ['audio', ['trackEntry']],
    ['cluster', ['segment']],
    ['blockGroup', ['cluster']],
    ['cues', ['segment']],
    ['cuePoint', ['cues']],
    ['cuePositions', ['cuePoint']],
    ['tags', ['segment']],
    ['tag', ['tags']],
    ['targets', ['tag']],
    ['simpleTag', ['tag', 'simpleTag']],
  ];
  const paths: Partial<Record<keyof typeof ids, number[]>> = { segment: [] };
  for (const [name, [parent = 'segment']] of places) paths[name] = [...(paths[parent] ?? []), ids[name]];

  for (const [child, parents] of places) {
    it(`the element ${child} stands in ${parents.join(' or ')}, and nowhere else`, () => {
      for (const [name, path] of Object.entries(paths)) {
        const isAllowed = parents.some((parent) => parent === name);
        assert.equal(judge(nest(element(ids[child], ''), ...path)), isAllowed ? undefined : wrongPlace, name);
      }
    });
  }

  it('the walk ends with the defect that the visitor finds', () => {
    const seen: number[] = [];
    const defect = walk(segment(free, element(ids.info, ''), free), ({ id }) => {
      seen.push(id);
      return id === ids.info ? 'found' : undefined;
    });
    assert.equal(defect, 'found');
    assert.deepEqual(seen, [ids.void, ids.info]);
  });
});
