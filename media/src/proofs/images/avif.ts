// Proves an AVIF: a still picture of AV1, with or without the tracks of a sequence.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, type Proof, proved } from '../../proof.ts';
import { type Box, walkBoxes } from '../iso-boxes.ts';
import { readBrands, readStill, readTopLevel } from './heif.ts';
import type { Size } from './heif-items.ts';
import { findOnly, readTable } from './heif-table.ts';

const maxTracks = 100;

const avifCodecs = ['av01'] as const;

export function proveAvif(file: FileBytes): Proof | undefined {
  const brands = readBrands(file);
  if (brands === undefined || !(brands.all.has('avif') || brands.all.has('avis'))) return undefined;
  const boxes = readTopLevel(file);
  if (typeof boxes === 'string') return corrupt('image/avif', boxes);
  if (brands.major === 'avis' && findOnly(boxes, 'moov') === undefined)
    return corrupt('image/avif', 'a sequence without moov');
  const still = readStill(file, boxes, avifCodecs);
  if (typeof still === 'string') return corrupt('image/avif', still);
  const size = addTracks(file, boxes, still.size);
  return typeof size === 'string' ? corrupt('image/avif', size) : proved('image/avif', size);
}

/** A sequence also has tracks. The largest one sets the size, so a small picture cannot hide a large track. */
function addTracks(file: FileBytes, boxes: Box[], picture: Size): Size | string {
  const moov = findOnly(boxes, 'moov');
  if (moov === undefined) return picture;
  const parts = walkBoxes(file, moov.start + moov.headerSize, moov.end);
  if (parts === undefined || findOnly(parts, 'mvhd') === undefined) return 'broken moov';
  const tracks = parts.filter(({ type }) => type === 'trak');
  if (tracks.length === 0 || tracks.length > maxTracks) return `${tracks.length} tracks`;
  let { width, height } = picture;
  for (const track of tracks) {
    const inner = walkBoxes(file, track.start + track.headerSize, track.end);
    const tkhd = inner && readTable(file, inner, 'tkhd');
    if (tkhd === undefined || tkhd.length !== (tkhd.version === 1 ? 96 : 84)) return 'broken track';
    tkhd.skip(tkhd.length - 12);
    width = Math.max(width, tkhd.uint(4) >>> 16);
    height = Math.max(height, tkhd.uint(4) >>> 16);
  }
  return { width, height };
}
