// Builds WebM files element by element.
import { ids } from '../../src/proofs/video/webm-elements.ts';
import { element } from './media-builders.ts';
import { joined, type Part } from './media-files.ts';

export const webmHeader = element(ids.header, element(ids.docType, 'webm'));
export const info = element(ids.info, element(0x4d80, 'muxer'));
export const block = element(ids.simpleBlock, [0x81, 0, 0, 0x80, 1]);
export const cluster = element(ids.cluster, joined(element(ids.timestamp, [0]), block));

/** A header and a segment of these parts. */
export function webm(...parts: Part[]): Buffer {
  return joined(webmHeader, segment(...parts));
}

export function segment(...parts: Part[]): Buffer {
  return element(ids.segment, joined(...parts));
}

export function clusterOf(...parts: Part[]): Buffer {
  return element(ids.cluster, joined(...parts));
}

export function tracks(...entries: Part[]): Buffer {
  return element(ids.tracks, joined(...entries.map((entry) => element(ids.trackEntry, entry))));
}

type Entry = { number?: Part; kind?: Part; codec?: Part; width?: Part; height?: Part; more?: Part };

/** The content of a track. A field that is undefined is left out. */
export function entry({ number = [1], kind = [1], codec = 'V_VP8', width, height, more = '' }: Entry = {}): Buffer {
  const field = (id: number, value: Part | undefined) => (value === undefined ? '' : element(id, value));
  const picture = joined(field(ids.pixelWidth, width), field(ids.pixelHeight, height));
  const video = picture.length === 0 ? '' : element(ids.video, picture);
  return joined(field(ids.trackNumber, number), field(ids.trackType, kind), field(ids.codec, codec), video, more);
}

export const plainWebm = webm(info, tracks(entry()), cluster);
