// Strips AVIF, HEIC and HEIF: keeps pictures and how to show them. Everything else becomes zeros, because items are located by offset.
import type { FileBytes } from '../media-type.ts';
import { readStill, readTopLevel } from '../proofs/images/heif.ts';
import { codecs, type Heif, type Span } from '../proofs/images/heif-items.ts';
import { contentOf } from '../proofs/images/heif-locations.ts';
import { type Box, walkBoxes } from '../proofs/iso-boxes.ts';
import { blank, toFree } from './blank.ts';
import { type Edit, removal } from './edit.ts';
import { editMeta } from './heif-meta.ts';
import { findUnwanted } from './heif-unwanted.ts';

const picture = ['ftyp', 'meta', 'mdat'];
/** What a sequence may contain beside its tracks and their samples. */
const movieNotes = new Set(['udta', 'meta', 'uuid', 'free', 'skip']);

/** The tracks of a sequence stay. */
export function editAvif(file: FileBytes): Edit[] {
  return editHeif(file, new Set([...picture, 'moov']));
}

export function editHeic(file: FileBytes): Edit[] {
  return editHeif(file, new Set(picture));
}

function editHeif(file: FileBytes, kept: ReadonlySet<string>): Edit[] {
  const boxes = readTopLevel(file);
  if (typeof boxes === 'string') throw new Error(`Not a proved picture: ${boxes}`);
  const still = readStill(file, boxes, Object.keys(codecs));
  if (typeof still === 'string') throw new Error(`Not a proved picture: ${still}`);
  const { heif } = still;
  const unwanted = findUnwanted(heif);
  const movie = boxes.find(({ type }) => type === 'moov' && kept.has(type));
  // Nothing that is kept is located behind the last box that is kept.
  const end = boxes.findLast(({ type }) => kept.has(type))?.end ?? file.size;
  const others = boxes.filter((box) => box.end <= end && !kept.has(box.type));
  return [
    ...others.flatMap((box) => toFree(file, box)),
    ...editMeta(file, heif, unwanted),
    ...blankData(file, heif, unwanted, movie !== undefined),
    ...(movie === undefined ? [] : editMovie(file, movie)),
    ...(end < file.size ? [removal({ start: end, end: file.size })] : []),
  ];
}

/** Clears the data that no picture uses. In a sequence, tracks use data too, so only the unwanted items are cleared. */
function blankData(file: FileBytes, heif: Heif, unwanted: ReadonlySet<number>, hasTracks: boolean): Edit[] {
  const { boxes, parts, items, locations } = heif;
  const isKept = ({ id }: { readonly id: number }) => items.has(id) && !unwanted.has(id);
  const used = locations.filter(isKept).flatMap(({ extents }) => extents);
  const unused = locations.filter((located) => !isKept(located)).flatMap(({ extents }) => extents);
  const data = hasTracks ? unused : boxes.filter(({ type }) => type === 'mdat').map(contentOf);
  const inMeta = parts.filter(({ type }) => type === 'idat').map(contentOf);
  return subtract([...data, ...inMeta], used).flatMap((span) => blank(file, span));
}

/** What is in `spans` and in none of the others. */
function subtract(spans: readonly Span[], others: readonly Span[]): Span[] {
  const inOrder = others.toSorted((one, other) => one.start - other.start);
  const rest: Span[] = [];
  let next = 0;
  let position = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    position = Math.max(position, start);
    for (let other = inOrder[next]; other !== undefined && other.start < end; other = inOrder[++next]) {
      if (other.start > position) rest.push({ start: position, end: other.start });
      position = Math.max(position, other.end);
    }
    if (position < end) rest.push({ start: position, end });
    position = Math.max(position, end);
  }
  return rest;
}

function editMovie(file: FileBytes, movie: Box): Edit[] {
  const inside = (box: Box) => walkBoxes(file, box.start + box.headerSize, box.end) ?? [];
  const parts = inside(movie);
  const tracks = parts.filter(({ type }) => type === 'trak').flatMap(inside);
  return [...parts, ...tracks].filter(({ type }) => movieNotes.has(type)).flatMap((box) => toFree(file, box));
}
