// The marks of archives and of PDF that make a file of another format a polyglot.

/** `signs`: bytes of which at least one is in every mark. Searching for them is far quicker than the pattern, and finds hardly ever one. */
export type Marks = { readonly signs: readonly Buffer[]; readonly pattern: RegExp };

/**
 * Unpackers look for these marks behind a program that unpacks itself: RAR in the first 1 MiB, 7-Zip and ZIP in the first 8 MiB. Of ZIP, a
 * version, flags and a method follow the mark.
 */
export const archiveMarks: Marks = {
  signs: signsOf('Rar!\x1a\x07', "7z\xbc\xaf'\x1c", 'PK\x03\x04'),
  pattern: /Rar!\x1a\x07|7z\xbc\xaf'\x1c|PK\x03\x04[\0-?][\0-\x7f]..[\0-c]\0/s,
};
/**
 * Lenient readers accept a header anywhere, or none at all if there is a table of objects. A version, or the beginning of a dictionary, keeps
 * chance and the trailers of films out. White space may reach beyond the piece.
 */
export const lenientMarks: Marks = {
  signs: signsOf('%PDF-', 'startx', 'traile'),
  pattern: /%PDF-\d|startxref|trailer[\0\t\n\f\r ]*(?:<<|%|$)/,
};
/** Before the word are its numbers. Any white space and comments may stand between them, so only the byte next to the word is looked at. */
export const objectMarks: Marks = {
  signs: signsOf('obj', '%%EOF'),
  pattern: /[\0\t\n\f\r \d]obj[\0\t\n\f\r ()<>[\]{}/%]|%%EOF/,
};
/** Every file is searched for these. */
export const commonSigns: readonly Buffer[] = [...archiveMarks.signs, ...objectMarks.signs];

function signsOf(...signs: readonly string[]): Buffer[] {
  return signs.map((sign) => Buffer.from(sign, 'latin1'));
}
