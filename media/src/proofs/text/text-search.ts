// Searches a text, piece by piece, for control characters and active markup. It runs over every byte of every text.

import { sharedScan } from '../scan/choose-scan.ts';
import type { TextScan } from '../scan/text-scan.ts';
import { hasActiveMarkup, markupBytes, opensActive } from './active-markup.ts';

type TextFinding = 'control' | 'active';

/** So many places that may be markup are looked at one by one. If there are more, one search for all of them costs less. */
const mostPlaces = 64;

/** The largest piece that a search takes. */
export const pieceBytes = 262_144;

/** Takes the pieces of a text in order. Markup may begin in one piece and end in the next. Ends before the next search begins. */
export function createTextSearch(): (piece: Buffer, isLast: boolean) => TextFinding | undefined {
  const scan = sharedScan();
  let before = 0;
  let opens: boolean | undefined;
  return (piece, isLast) => {
    const end = before + piece.length;
    // Not `set`, which copies shared memory byte by byte.
    piece.copy(scan.bytes, before);
    scan.endPiece(end);
    const text = scan.bytes.subarray(0, end);
    opens ??= opensActive(text, isLast);
    if (scan.hasControls(end)) return 'control';
    if (opens === true || isActive(scan, text, isLast)) return 'active';
    before = Math.min(end, markupBytes);
    text.copyWithin(0, end - before, end);
    return undefined;
  };
}

function isActive(scan: TextScan, text: Buffer, isLast: boolean): boolean {
  let at = scan.findMarkup(0, text.length);
  for (let count = 0; at !== undefined; count++) {
    if (count === mostPlaces) return hasActiveMarkup(text.subarray(at), isLast);
    const end = Math.min(text.length, at + markupBytes);
    if (hasActiveMarkup(text.subarray(at, end), isLast && end === text.length)) return true;
    at = scan.findMarkup(at + 1, text.length);
  }
  return false;
}
