// Reads where the bytes of the items of a picture are (AVIF, HEIC). All must be inside the data boxes.
import type { FileBytes } from '../../media-type.ts';
import type { Box } from '../iso-boxes.ts';
import type { Located, Span } from './heif-items.ts';
import { findOnly, readTable, type Table } from './heif-table.ts';

/** A string describes the defect. */
export function readLocations(file: FileBytes, parts: readonly Box[], boxes: readonly Box[]): Located[] | string {
  const iloc = readTable(file, parts, 'iloc');
  if (iloc === undefined || iloc.version > 2) return 'no item locations';
  const idat = findOnly(parts, 'idat');
  const data = boxes.filter(({ type }) => type === 'mdat').map(contentOf);
  return readEntries(iloc, [
    { base: 0, spans: data },
    // Offsets into idat start at its first byte.
    { base: idat === undefined ? 0 : contentOf(idat).start, spans: idat === undefined ? [] : [contentOf(idat)] },
  ]);
}

export function contentOf({ start, headerSize, end }: Box): Span {
  return { start: start + headerSize, end };
}

type Place = { readonly base: number; readonly spans: readonly Span[] };

const nowhere: Place = { base: 0, spans: [] };

function readEntries(iloc: Table, places: readonly Place[]): Located[] | string {
  const sizes = iloc.uint(2);
  const widths = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15);
  if (widths.some((bytes) => bytes % 4 !== 0 || bytes > 8)) return 'wrong iloc';
  const [offsetBytes = 0, lengthBytes = 0, baseBytes = 0, last = 0] = widths;
  const indexBytes = iloc.version === 0 ? 0 : last;
  const idBytes = iloc.version === 2 ? 4 : 2;
  const count = iloc.uint(idBytes);
  const located = new Map<number, Located>();
  for (let item = 0; item < count && !iloc.isOverrun(); item++) {
    const start = iloc.position();
    const id = iloc.uint(idBytes);
    const place = places[iloc.version === 0 ? 0 : iloc.uint(2) & 15] ?? nowhere;
    const isElsewhere = iloc.uint(2) !== 0;
    const base = place.base + iloc.uint(baseBytes);
    const extentCount = iloc.uint(2);
    if (isElsewhere || located.has(id)) return `wrong location of item ${id}`;
    const extents: Span[] = [];
    for (let extent = 0; extent < extentCount && !iloc.isOverrun(); extent++) {
      iloc.skip(indexBytes);
      const from = base + iloc.uint(offsetBytes);
      const span = { start: from, end: from + iloc.uint(lengthBytes) };
      if (!isInside(span, place.spans)) return `item ${id} is outside the data`;
      extents.push(span);
    }
    located.set(id, { id, entry: { start, end: iloc.position() }, extents });
  }
  return iloc.isOverrun() ? 'item locations are truncated' : [...located.values()];
}

/** Spans are in file order and do not overlap. So only the last one that starts at or before `start` can contain the bytes. */
function isInside({ start, end }: Span, spans: readonly Span[]): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return end > start && end <= (spans[low - 1]?.end ?? 0);
}
