// Proves WebM, or Matroska that is WebM but for its name: an EBML header, one segment up to the end, tracks with codecs of browsers, their blocks.
import type { FileBytes } from '../../media-type.ts';
import { type Objection, type Proof, proved, refused } from '../../proof.ts';
import { type Element, elementBytes, ids, parseElement, textOf, unsignedOf } from './webm-elements.ts';
import { walkSegment } from './webm-segment.ts';

/** The kind of track of each codec: picture, sound, words, or words for programs. */
const codecs = new Map<string | undefined, number>(
  Object.entries({
    V_VP8: 1,
    V_VP9: 1,
    V_AV1: 1,
    A_VORBIS: 2,
    A_OPUS: 2,
    'D_WEBVTT/SUBTITLES': 17,
    'D_WEBVTT/CAPTIONS': 17,
    'D_WEBVTT/DESCRIPTIONS': 33,
    'D_WEBVTT/METADATA': 33,
    // Not in the WebM guidelines, but browsers record them on request, and then call the file Matroska.
    'V_MPEG4/ISO/AVC': 1,
    'A_PCM/FLOAT/IEEE': 2,
  }),
);
const pictureOrSound = new Set<number | undefined>([1, 2]);
const maxTracks = 100;
const maxHeaderBytes = 1_024;

const fieldKeys = new Map<number, keyof Track>([
  [ids.codec, 'codec'],
  [ids.trackNumber, 'number'],
  [ids.trackType, 'kind'],
  [ids.pixelWidth, 'width'],
  [ids.pixelHeight, 'height'],
]);

type Track = { number?: number; kind?: number; codec?: string; width?: number; height?: number };
type Content = { tracks: Track[]; numbers: Set<number>; hasInfo: boolean; hasClusters: boolean; blocks: number };

export function proveWebm(file: FileBytes): Proof | undefined {
  const header = parseElement(file.read(0, elementBytes), 0);
  const headerBytes = header?.length ?? Number.POSITIVE_INFINITY;
  if (header?.id !== ids.header || headerBytes > maxHeaderBytes) return undefined;
  const segmentAt = header.start + headerBytes;
  const docType = readDocType(file, header.start, segmentAt);
  if (docType !== 'webm' && docType !== 'matroska') return undefined;
  const content: Content = { tracks: [], numbers: new Set(), hasInfo: false, hasClusters: false, blocks: 0 };
  const objection =
    walkSegment(file, segmentAt, (element, parent) => takeElement(content, element, parent)) ?? contentDefect(content);
  if (objection === undefined) return proved('video/webm', pictureSize(content));
  // Any other Matroska is a format of its own.
  return docType === 'webm' ? refused('video/webm', objection) : undefined;
}

function readDocType(file: FileBytes, start: number, end: number): string | undefined {
  let position = start;
  let type: string | undefined;
  while (position < end) {
    const element = parseElement(file.read(position, elementBytes), position);
    const isSecond = element?.id === ids.docType && type !== undefined;
    if (element?.length === undefined || isSecond) return undefined;
    if (element.id === ids.docType) type = textOf(element);
    position = element.start + element.length;
  }
  return position === end ? type : undefined;
}

/** Called for every element of the segment in order. */
function takeElement(content: Content, element: Element, parent: number): Objection | undefined {
  const { id } = element;
  if (id === ids.simpleBlock || id === ids.block) return takeBlock(content, element);
  if (parent === ids.trackEntry || parent === ids.video) return takeTrackField(content, element);
  if (id === ids.info) content.hasInfo = true;
  if (id === ids.cluster && !content.hasClusters) {
    content.hasClusters = true;
    return objectionToTracks(content);
  }
  if (id !== ids.trackEntry) return undefined;
  if (content.hasClusters || content.tracks.length === maxTracks) return 'tracks in the wrong place';
  content.tracks.push({});
  return undefined;
}

function takeTrackField(content: Content, element: Element): string | undefined {
  const track = content.tracks.at(-1) ?? {};
  const key = fieldKeys.get(element.id);
  if (key === undefined) return undefined;
  // Of two values, some players use the first and others the second.
  if (track[key] !== undefined) return 'a track has the same field twice';
  if (key === 'codec') track.codec = textOf(element);
  else track[key] = unsignedOf(element);
  return undefined;
}

function objectionToTracks({ tracks, numbers, hasInfo }: Content): Objection | undefined {
  if (!hasInfo || tracks.length === 0) return 'clusters before the tracks';
  for (const { number = 0, kind, codec } of tracks) {
    if (number === 0 || numbers.has(number)) return 'a track number is zero or used twice';
    if (kind === undefined || codec === undefined) return 'a track without a kind or a codec';
    if (codecs.get(codec) !== kind) return { rule: 'video-codec' };
    numbers.add(number);
  }
  return tracks.some(({ kind }) => pictureOrSound.has(kind)) ? undefined : 'neither picture nor sound';
}

function takeBlock(content: Content, { head }: Element): string | undefined {
  const first = head.length === 0 ? 0 : head.readUInt8(0);
  const width = Math.clz32(first) - 23;
  // Track number, two bytes of time, one byte of flags. No real video needs a track number of three bytes.
  if (width > 2 || head.length < width + 3) return 'a broken block';
  const number = width === 1 ? first & 0x7f : head.readUInt16BE(0) & 0x3fff;
  if (!content.numbers.has(number)) return 'a block of an unknown track';
  content.blocks += 1;
  return undefined;
}

function contentDefect({ hasClusters, blocks }: Content): string | undefined {
  return hasClusters && blocks > 0 ? undefined : 'no picture and no sound';
}

function pictureSize({ tracks }: Content): { width: number; height: number } | undefined {
  const { width = 0, height = 0 } = tracks.find(({ kind }) => kind === 1) ?? {};
  return width > 0 && height > 0 ? { width, height } : undefined;
}
