// Proves Ogg audio (Vorbis, Opus, FLAC): every page has the right checksum and sequence, and each stream starts and ends.
// A recording that was stopped may lack the mark of its end, but no part of a packet.
import type { FileBytes } from '../../media-type.ts';
import { type Objection, type Proof, proved, refused } from '../../proof.ts';
import { type OggPage, readOggPage } from './ogg-page.ts';

const maxStreams = 16;
/** How the first packets of the accepted codecs begin. Other codecs are video, text, or sound that browsers do not play. */
const soundMarks = /^(?:\x01vorbis|OpusHead|\x7fFLAC)/;
const otherCodec: Objection = { rule: 'sound-codec' };

type Stream = { isAudio: boolean; nextSequence: number; isOpen: boolean; hasOpenPacket: boolean };

/** Parallel streams. A chained file has several links, one after the other. */
type Link = { streams: Map<number, Stream>; hasData: boolean };

export function proveOgg(file: FileBytes): Proof | undefined {
  const head = file.read(0, 5);
  if (head.toString('latin1') !== 'OggS\0') return undefined;
  const objection = objectionTo(file);
  return objection === undefined ? proved('audio/ogg') : refused('audio/ogg', objection);
}

function objectionTo(file: FileBytes): Objection | undefined {
  let link: Link = { streams: new Map(), hasData: false };
  let position = 0;
  while (position < file.size) {
    const page = readOggPage(file, position);
    if (typeof page === 'string') return page;
    if (page.isFirst && isEnded(link)) link = { streams: new Map(), hasData: false };
    const objection = page.isFirst ? openStream(link, page) : continueStream(link, page);
    if (objection !== undefined) return objection;
    position += page.length;
  }
  if (!link.hasData) return 'a stream without its content';
  return [...link.streams.values()].some(({ hasOpenPacket }) => hasOpenPacket) ? 'the last packet is cut' : undefined;
}

function isEnded({ streams, hasData }: Link): boolean {
  return hasData && [...streams.values()].every(({ isOpen }) => !isOpen);
}

function openStream(link: Link, page: OggPage): Objection | undefined {
  if (link.hasData) return 'a stream begins among the pages of others';
  if (link.streams.has(page.serial) || link.streams.size === maxStreams)
    return 'a stream begins twice, or too many streams';
  const isAudio = isAudioHeader(page.payload);
  const isIndex = page.payload.toString('latin1', 0, 8) === 'fishead\0';
  if (!isAudio && !isIndex)
    return soundMarks.test(page.payload.toString('latin1', 0, 8)) ? 'a broken first packet' : otherCodec;
  if (page.isContinued || page.isLast || page.hasOpenPacket) return 'a broken first page';
  const stream = { isAudio, nextSequence: (page.sequence + 1) >>> 0, isOpen: true, hasOpenPacket: false };
  link.streams.set(page.serial, stream);
  return undefined;
}

function continueStream(link: Link, page: OggPage): Objection | undefined {
  const stream = link.streams.get(page.serial);
  if (stream === undefined) return 'a page of an unknown stream';
  if (!stream.isOpen) return 'a page after the end of its stream';
  if (page.sequence !== stream.nextSequence) return 'a page is missing';
  if (page.isContinued !== stream.hasOpenPacket) return 'a packet is cut';
  if (page.isLast && page.hasOpenPacket) return 'the last packet is cut';
  if (!link.hasData && [...link.streams.values()].every(({ isAudio }) => !isAudio)) return otherCodec;
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
