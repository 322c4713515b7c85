// Looks at all bytes of a piece of text with vector instructions: text-scan.wat says how, this prepares its memory.
import { activeBeginnings } from './active-markup.ts';
import { textScanCode } from './text-scan-code.ts';

export type TextScan = {
  /** The piece is at its beginning. `endPiece` must follow every change. */
  readonly bytes: Buffer;
  /** The piece has this length. */
  endPiece(length: number): void;
  hasControls(length: number): boolean;
  /** The place of the first `<` from `from` on that may begin active markup, or undefined. */
  findMarkup(from: number, length: number): number | undefined;
};

type Code = {
  readonly memory: { readonly buffer: ArrayBuffer };
  hasControls(end: number): number;
  findMarkup(at: number, end: number, classes: number): number;
};

/** Node has it, but its types are part of those of browsers. */
type WebAssemblyLike = {
  readonly Module: new (code: Buffer) => object;
  readonly Instance: new (module: object) => { readonly exports: Code };
};

/** The largest piece, with room for what is read behind it. */
export const mostScanned = 270_000;
/** It reads sixteen bytes from two places behind a byte of the piece. */
const readAhead = 18;
const blank = 0x20;
const classesAt = mostScanned + 16;

export function createTextScan(): TextScan {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
  const { memory, hasControls, findMarkup } = new Instance(new Module(Buffer.from(textScanCode, 'base64'))).exports;
  const bytes = Buffer.from(memory.buffer);
  writeClasses(bytes.subarray(classesAt));
  return {
    bytes: bytes.subarray(0, mostScanned),
    endPiece: (length) => void bytes.fill(blank, length, length + readAhead),
    hasControls: (length) => hasControls(length) === 1,
    findMarkup: (from, length) => {
      const place = from >= length ? length : findMarkup(from, length, classesAt);
      return place >= length ? undefined : place;
    },
  };
}

/** One class, which is a bit, for each first character: it has the first and all second characters, in both cases. */
function writeClasses(tables: Buffer): void {
  const classes = Map.groupBy(activeBeginnings, (beginning) => beginning[0]);
  if (classes.size > 8) throw new Error('a table has room for eight classes');
  [...classes.values()].forEach((beginnings, index) => {
    for (const beginning of beginnings) {
      addToClass(tables, 0, beginning.slice(0, 1), 1 << index);
      addToClass(tables, 32, beginning.slice(1, 2), 1 << index);
    }
  });
}

function addToClass(tables: Buffer, at: number, character: string, bit: number): void {
  for (const each of [character.toLowerCase(), character.toUpperCase()]) {
    const code = each.charCodeAt(0);
    for (const place of [at + (code & 15), at + 16 + (code >> 4)]) tables[place] = (tables[place] ?? 0) | bit;
  }
}
