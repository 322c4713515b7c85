// Reads the movie box of an MP4 file: its tracks, their kinds, and where their samples are.
import type { FileBytes } from '../../media-type.ts';
import { isObjection, type Objection } from '../../proof.ts';
import { type Box, readContent, walkBoxes } from '../iso-boxes.ts';
import { readSampleTable } from './mp4-samples.ts';

export type Movie = {
  readonly hasVideo: boolean;
  readonly isFragmented: boolean;
  readonly tracks: ReadonlySet<number>;
  readonly sampleBytes: number;
  /** Lowest and highest chunk offset. The highest is -1 if there are no chunks. */
  readonly firstChunk: number;
  readonly lastChunk: number;
  readonly size: { width: number; height: number } | undefined;
};

type Track = Pick<Movie, 'sampleBytes' | 'firstChunk' | 'lastChunk' | 'size'> & { id: number; handler: string };

const maxTracks = 100;
const elsewhere: Objection = { rule: 'outside-data' };

export function readMovie(file: FileBytes, movie: Box): Movie | Objection {
  const boxes = childrenOf(file, movie);
  if (boxes === undefined) return 'boxes do not fill the movie';
  // A movie of QuickTime that only says where others are.
  if (boxes.some(({ type }) => type === 'rmra')) return elsewhere;
  const trackBoxes = boxes.filter(({ type }) => type === 'trak');
  if (onlyOne(boxes, 'mvhd') === undefined) return 'not exactly one movie header';
  if (trackBoxes.length > maxTracks) return 'too many tracks';
  const tracks: Track[] = [];
  for (const box of trackBoxes) {
    const track = readTrack(file, box);
    if (isObjection(track)) return track;
    tracks.push(track);
  }
  return joinTracks(tracks, onlyOne(boxes, 'mvex') !== undefined);
}

function joinTracks(tracks: readonly Track[], isFragmented: boolean): Movie | string {
  const ids = new Set(tracks.map(({ id }) => id));
  const video = tracks.find(({ handler }) => handler === 'vide');
  if (ids.size !== tracks.length || ids.has(0)) return 'a track number is zero or used twice';
  if (video === undefined && !tracks.some(({ handler }) => handler === 'soun')) return 'neither picture nor sound';
  return {
    hasVideo: video !== undefined,
    isFragmented,
    tracks: ids,
    sampleBytes: tracks.reduce((sum, track) => sum + track.sampleBytes, 0),
    firstChunk: Math.min(...tracks.map(({ firstChunk }) => firstChunk)),
    lastChunk: Math.max(...tracks.map(({ lastChunk }) => lastChunk)),
    size: video?.size,
  };
}

function readTrack(file: FileBytes, track: Box): Track | Objection {
  const boxes = childrenOf(file, track);
  const header = onlyOne(boxes, 'tkhd');
  const media = childrenOf(file, onlyOne(boxes, 'mdia'));
  const handlerBox = onlyOne(media, 'hdlr');
  const information = childrenOf(file, onlyOne(media, 'minf'));
  const table = onlyOne(information, 'stbl');
  if (header === undefined || handlerBox === undefined || table === undefined) return 'an incomplete track';
  if (onlyOne(media, 'mdhd') === undefined) return 'an incomplete track';
  const objection = objectionToReferences(file, onlyOne(information, 'dinf'));
  if (objection !== undefined) return objection;
  const id = readTrackId(file, header);
  const handler = readContent(file, handlerBox, 12).toString('latin1', 8);
  const samples = readSampleTable(file, table, handler === 'vide');
  if (typeof samples === 'string') return samples;
  return { ...samples, id, handler };
}

/** 0 if the header is cut. */
function readTrackId(file: FileBytes, header: Box): number {
  const bytes = readContent(file, header, 24);
  if (bytes.length < 24) return 0;
  return bytes.readUInt32BE(bytes.readUInt8(0) === 1 ? 20 : 12);
}

/** The samples may be in another file. It can be on another host, and a player would fetch it. */
function objectionToReferences(file: FileBytes, information: Box | undefined): Objection | undefined {
  const box = onlyOne(childrenOf(file, information), 'dref');
  const references = box === undefined ? undefined : walkBoxes(file, box.start + box.headerSize + 8, box.end);
  if (references === undefined || references.length === 0) return 'no data reference';
  for (const reference of references) {
    const flags = readContent(file, reference, 4);
    if (flags.length < 4) return 'a broken data reference';
    if ((flags.readUInt32BE(0) & 1) === 0) return elsewhere;
  }
  return undefined;
}

function childrenOf(file: FileBytes, box: Box | undefined): Box[] | undefined {
  return box === undefined ? undefined : walkBoxes(file, box.start + box.headerSize, box.end);
}

function onlyOne(boxes: readonly Box[] | undefined, type: string): Box | undefined {
  const found = boxes?.filter((box) => box.type === type);
  return found?.length === 1 ? found[0] : undefined;
}
