// Proves Ogg audio (Vorbis, Opus, FLAC): every page has the right checksum and sequence, and each stream starts and ends.
import { corrupt, type FileBytes, type Proof, proved } from '../media-type.ts';
import { type OggPage, readOggPage } from './ogg-page.ts';

const maxStreams = 16;

type Stream = { isAudio: boolean; nextSequence: number; isOpen: boolean; hasOpenPacket: boolean };

/** Parallel streams. A chained file has several links, one after the other. */
type Link = { streams: Map<number, Stream>; hasData: boolean };

export function proveOgg(file: FileBytes): Proof | undefined {
  const head = file.read(0, 5);
  if (head.toString('latin1') !== 'OggS\0') return undefined;
  const defect = pagesDefect(file);
  return defect === undefined ? proved('audio/ogg') : corrupt('audio/ogg', defect);
}

function pagesDefect(file: FileBytes): string | undefined {
  let link: Link = { streams: new Map(), hasData: false };
  let position = 0;
  while (position < file.size) {
    const page = readOggPage(file, position);
    if (typeof page === 'string') return page;
    if (page.isFirst && isEnded(link)) link = { streams: new Map(), hasData: false };
    const defect = page.isFirst ? openStream(link, page) : continueStream(link, page);
    if (defect !== undefined) return defect;
    position += page.length;
  }
  return isEnded(link) ? undefined : 'a stream without its end';
}

function isEnded({ streams, hasData }: Link): boolean {
  return hasData && [...streams.values()].every(({ isOpen }) => !isOpen);
}

function openStream(link: Link, page: OggPage): string | undefined {
  if (link.hasData) return 'a stream begins among the pages of others';
  if (link.streams.has(page.serial) || link.streams.size === maxStreams)
    return 'a stream begins twice, or too many streams';
  const isAudio = isAudioHeader(page.payload);
  const isIndex = page.payload.toString('latin1', 0, 8) === 'fishead\0';
  if (!isAudio && !isIndex) return 'not audio';
  if (page.isContinued || page.isLast || page.hasOpenPacket) return 'a broken first page';
  const stream = { isAudio, nextSequence: (page.sequence + 1) >>> 0, isOpen: true, hasOpenPacket: false };
  link.streams.set(page.serial, stream);
  return undefined;
}

function continueStream(link: Link, page: OggPage): string | undefined {
  const stream = link.streams.get(page.serial);
  if (stream === undefined) return 'a page of an unknown stream';
  if (!stream.isOpen) return 'a page after the end of its stream';
  if (page.sequence !== stream.nextSequence) return 'a page is missing';
  if (page.isContinued !== stream.hasOpenPacket) return 'a packet is cut';
  if (page.isLast && page.hasOpenPacket) return 'the last packet is cut';
  if (!link.hasData && [...link.streams.values()].every(({ isAudio }) => !isAudio)) return 'not audio';
  link.hasData = true;
  stream.nextSequence = (page.sequence + 1) >>> 0;
  stream.isOpen = !page.isLast;
  stream.hasOpenPacket = page.hasOpenPacket;
  return undefined;
}

function isAudioHeader(payload: Buffer): boolean {
  const isVorbis =
    payload.length === 30 &&
    payload.toString('latin1', 0, 7) === '\x01vorbis' &&
    payload.readUInt32LE(7) === 0 &&
    payload.readUInt8(11) > 0 &&
    payload.readUInt32LE(12) > 0;
  const isOpus =
    payload.length >= 19 &&
    payload.toString('latin1', 0, 8) === 'OpusHead' &&
    payload.readUInt8(8) >>> 4 === 0 &&
    payload.readUInt8(9) > 0;
  const isFlac =
    payload.length >= 51 &&
    payload.toString('latin1', 0, 6) === '\x7fFLAC\x01' &&
    payload.toString('latin1', 9, 13) === 'fLaC';
  return isVorbis || isOpus || isFlac;
}
