// Decides the charset of a text: the one that the client declares, if it is safe and fits the bytes, or else the one that the bytes show.
import type { FileBytes } from './media-type.ts';

const pieceBytes = 262_144;

/**
 * Charsets that a client may declare, by the names of the WHATWG Encoding Standard. In all of them ASCII bytes mean ASCII characters, so
 * markup cannot hide (see proofs/text/active-markup.ts). Others are ignored: UTF-7, HZ and ISO-2022 write markup in other bytes, and UTF-16
 * counts only with its mark.
 */
const declarable: ReadonlySet<string> = new Set([
  'utf-8',
  'ibm866',
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  'iso-8859-8-i',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'windows-874',
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `windows-125${page}`),
  'x-mac-cyrillic',
  'gbk',
  'gb18030',
  'big5',
  'euc-jp',
  'shift_jis',
  'euc-kr',
]);

/** A mark in the bytes outweighs what is declared, as in browsers. */
export function chooseCharset(file: FileBytes, detected: string, declared: string | undefined): string {
  const name = declared === undefined ? undefined : canonicalName(declared);
  if (name === undefined || name === detected || detected.startsWith('utf-16') || hasUtf8Mark(file)) return detected;
  return decodes(file, name) ? name : detected;
}

/** Every other charset contains it, so it says nothing. Some programs declare it for any text. */
const ascii = /^(?:us-)?ascii$/;
/** The standard reads it as windows-1252. Clients that declare it get it back. */
const latin1 = 'iso-8859-1';

/** The standard name of a label, for example `windows-1252` for `cp1252`. Undefined if it may not be declared. */
function canonicalName(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (ascii.test(name)) return undefined;
  if (name === latin1) return latin1;
  try {
    const { encoding } = new TextDecoder(name);
    return declarable.has(encoding) ? encoding : undefined;
  } catch {
    return undefined;
  }
}

function hasUtf8Mark(file: FileBytes): boolean {
  return file.read(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
}

function decodes(file: FileBytes, name: string): boolean {
  const decoder = new TextDecoder(name, { fatal: true });
  try {
    for (let position = 0; position < file.size; position += pieceBytes)
      decoder.decode(file.read(position, pieceBytes), { stream: position + pieceBytes < file.size });
    return true;
  } catch {
    return false;
  }
}
