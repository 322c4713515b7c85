// Looks at all bytes of a piece of a file with vector instructions: text-scan.wat says how, this prepares its memory.

import { commonSigns } from '../marks.ts';
import { activeBeginnings } from '../text/active-markup.ts';
import { textScanCode } from './text-scan-code.ts';

export type TextScan = {
  /** The piece is at its beginning. `endPiece` must follow every change. */
  readonly bytes: Buffer;
  /** The piece has this length. */
  endPiece(length: number): void;
  hasControls(length: number): boolean;
  /** The place of the first `<` from `from` on that may begin active markup, or undefined. */
  findMarkup(from: number, length: number): number | undefined;
  /** The place of the first byte from `from` on that may begin one of the signs of other formats, or undefined. */
  findSign(from: number, length: number): number | undefined;
};

type Code = {
  readonly memory: { readonly buffer: ArrayBuffer };
  hasControls(end: number): number;
  findMarkup(at: number, end: number, classes: number): number;
  findSign(at: number, end: number, classes: number): number;
};

/** Node has it, but its types are part of those of browsers. */
type WebAssemblyLike = {
  readonly Module: new (code: Buffer) => object;
  readonly Instance: new (module: object) => { readonly exports: Code };
};

/** The largest piece, with room for what is read behind it. */
export const mostScanned = 270_000;
/** It reads up to thirty-two bytes behind a byte of the piece. */
const readAhead = 32;
const blank = 0x20;
const markupAt = mostScanned + 16;
const tableBytes = 64;
const signsAt = markupAt + tableBytes;

export function createTextScan(): TextScan {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
  const code = new Instance(new Module(Buffer.from(textScanCode, 'base64'))).exports;
  const bytes = Buffer.from(code.memory.buffer);
  const markup = [...Map.groupBy(activeBeginnings, (beginning) => beginning[0]).values()];
  writeClasses(
    bytes.subarray(markupAt),
    markup.map((beginnings) => beginnings.flatMap(inBothCases)),
  );
  writeClasses(
    bytes.subarray(signsAt),
    commonSigns.map((sign) => [sign.toString('latin1')]),
  );
  const find = (name: 'findMarkup' | 'findSign', classes: number) => (from: number, length: number) => {
    const place = from >= length ? length : code[name](from, length, classes);
    return place >= length ? undefined : place;
  };
  return {
    bytes: bytes.subarray(0, mostScanned),
    endPiece: (length) => void bytes.fill(blank, length, length + readAhead),
    hasControls: (length) => code.hasControls(length) === 1,
    findMarkup: find('findMarkup', markupAt),
    findSign: find('findSign', signsAt),
  };
}

function inBothCases(beginning: string): string[] {
  return [beginning.toLowerCase(), beginning.toUpperCase()];
}

/** Each class, which is a bit, has the first and all second characters of some beginnings. */
function writeClasses(tables: Buffer, classes: readonly (readonly string[])[]): void {
  if (classes.length > 8) throw new Error('a table has room for eight classes');
  classes.forEach((beginnings, index) => {
    for (const beginning of beginnings) {
      addToClass(tables, 0, beginning.charCodeAt(0), 1 << index);
      addToClass(tables, 32, beginning.charCodeAt(1), 1 << index);
    }
  });
}

function addToClass(tables: Buffer, at: number, code: number, bit: number): void {
  for (const place of [at + (code & 15), at + 16 + (code >> 4)]) tables[place] = (tables[place] ?? 0) | bit;
}
