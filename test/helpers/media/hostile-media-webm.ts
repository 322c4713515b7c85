// Hostile WebM files: elements that overrun, are misplaced or too many, and tracks that players would read differently.
import type { HostileFile } from './hostile-media.ts';
import { element } from './media-builders.ts';
import { fixture, joined, replaced } from './media-files.ts';

type Case = [string, Buffer, RegExp | 'unknown'];

const head = element(0x1a45dfa3, element(0x4282, 'webm'));
const info = element(0x1549a966, element(0x4d80, 'muxer'));
const block = element(0xa3, [0x81, 0, 0, 0x80, 1]);
const cluster = clusterOf(element(0xe7, [0]), block);
const tracks = tracksOf(entry('V_VP8'));

export function hostileWebm(): HostileFile[] {
  const cases = [...spoiltFiles(), ...spoiltTracks(), ...spoiltElements()];
  return cases.map(([name, bytes, refusal]) => ({ name: `WebM: ${name}`, bytes, refusal }));
}

function spoiltFiles(): Case[] {
  const webm = fixture('ffmpeg-vp8.webm');
  const live = fixture('ffmpeg-live.webm');
  const twoTypes = element(0x1a45dfa3, joined(element(0x4282, 'matroska'), element(0x4282, 'webm')));
  return [
    ['Matroska', replaced(webm, 'webm', 'mkv\0'), 'unknown'],
    ['two document types', joined(twoTypes, film(info, tracks, cluster).subarray(head.length)), 'unknown'],
    ['cut', webm.subarray(0, webm.length - 1), /end with the file/],
    ['a live recording cut in a block', live.subarray(0, live.length - 1), /longer than its parent/],
    ['a byte behind the segment', joined(webm, 'x'), /end with the file/],
    ['a second segment', joined(webm, element(0x18538067, '')), /end with the file/],
    ['words in a live recording', joined(live, '\0words'), /between elements/],
    ['nothing but a header', head, /no segment/],
    ['no clusters', film(info, tracks), /no picture/],
    ['clusters before the tracks', film(info, cluster, tracks), /before/],
    ['no information', film(tracks, cluster), /before/],
  ];
}

function spoiltTracks(): Case[] {
  const twice = joined(entry('V_MS/VFW'), element(0x86, 'V_VP8'));
  const mended = element(0x1254c367, element(0x86, 'V_VP8'));
  return [
    ['a codec of Matroska', film(info, tracksOf(entry('V_MPEG4/ISO/AVC')), cluster), /codec/],
    ['a sound codec for pictures', film(info, tracksOf(entry('A_OPUS')), cluster), /codec/],
    ['two codecs in a track', film(info, tracksOf(twice), cluster), /twice/],
    ['a codec that a tag would correct', film(info, tracksOf(entry('V_X')), mended, cluster), /codec/],
    ['two tracks with one number', film(info, tracksOf(entry('V_VP8'), entry('V_VP9')), cluster), /used twice/],
    ['a track outside the tracks', film(info, tracks, element(0xae, entry('V_VP9')), cluster), /wrong place/],
    ['tracks after the clusters', film(info, tracks, cluster, tracks), /wrong place/],
    ['tracks of open length', film(info, element(0x1654ae6b, entry('V_VP8'), 'open')), /without a length/],
  ];
}

function spoiltElements(): Case[] {
  const stray = clusterOf(element(0xa3, [0x85, 0, 0, 0, 1]));
  const long = clusterOf(element(0xa3, [0x81, 0, 0, 0], 90));
  const nested = Array.from({ length: 40 }).reduce<Buffer>((inner) => element(0x67c8, inner), Buffer.alloc(0));
  const tagged = element(0x1254c367, element(0x7373, nested));
  const voids = Buffer.alloc(60_000, Buffer.from([0xec, 0x80]));
  return [
    ['a block of an unknown track', film(info, tracks, stray), /unknown track/],
    ['a block of two bytes', film(info, tracks, clusterOf(element(0xa3, [0x81, 0]))), /broken block/],
    ['a block longer than its cluster', film(info, tracks, long, Buffer.alloc(200)), /longer than its parent/],
    ['a block among the tags', film(info, tracks, element(0x1254c367, block), cluster), /wrong place/],
    ['attached files', film(info, tracks, cluster, element(0x1941a469, 'words')), /unknown element/],
    ['an unknown element in a cluster', film(info, tracks, clusterOf(element(0x61a7, 'x'))), /unknown element/],
    ['tags in tags in tags', film(info, tracks, cluster, tagged), /too deep/],
    ['an element of identifier zero', film(info, tracks, Buffer.alloc(9)), /between elements/],
    ['thirty thousand empty elements', film(voids), /too many elements/],
  ];
}

function film(...parts: Buffer[]): Buffer {
  return joined(head, element(0x18538067, joined(...parts)));
}

function tracksOf(...entries: Buffer[]): Buffer {
  return element(0x1654ae6b, joined(...entries.map((content) => element(0xae, content))));
}

function clusterOf(...parts: Buffer[]): Buffer {
  return element(0x1f43b675, joined(...parts));
}

function entry(codec: string): Buffer {
  return joined(element(0xd7, [1]), element(0x83, [1]), element(0x86, codec));
}
