// What makes a browser, a shell or a word processor run a text: tags and declarations anywhere, and what a text may not begin with.

/**
 * The bytes are read as latin1, whatever their encoding. `<` and ASCII letters are the same bytes in every encoding that is accepted: UTF-8, the
 * single-byte encodings, and Shift_JIS, EUC-JP, EUC-KR, Big5, GBK and GB18030. In the latter, the second byte of a character is never 0x3c
 * (it is a digit, or 0x40 and above), and no other bytes mean `<`. So all read the same after a `<`. UTF-16 comes here as one byte per code unit.
 */
// Not every tag: source code and technical texts use <object>, <head> or <link> with other meanings.
export const activeMarkup =
  /<(?:!doctype html|\?php|(?:script|html|svg|iframe|frameset|embed|applet)(?=[\t\n\f\r />]))/i;
/** At the end of the file, no character needs to follow the tag name. */
const activeMarkupAtEnd = /<(?:script|html|svg|iframe|frameset|embed|applet)$/i;
/** What follows the `<` in the patterns. */
export const activeBeginnings: readonly string[] = [
  '!doctype html',
  '?php',
  'script',
  'html',
  'svg',
  'iframe',
  'frameset',
  'embed',
  'applet',
];
/** The length of the longest markup plus the character after it. */
export const markupBytes = 16;
const activeOpening = /^(?:<[!?%a-z]|%!ps|#!|\{\\rtf)/i;
const openingBytes = 5;
const blanks: ReadonlySet<number> = new Set(Buffer.from('\t\n\f\r '));

/** Whether the bytes contain a tag that makes a browser read them as HTML or SVG. `isLast`: nothing follows them. */
export function hasActiveMarkup(bytes: Buffer, isLast = true): boolean {
  return (
    activeMarkup.test(bytes.toString('latin1')) ||
    (isLast && activeMarkupAtEnd.test(bytes.toString('latin1', Math.max(0, bytes.length - markupBytes))))
  );
}

/** Whether the text begins, after blanks, with something that runs. Undefined while too little of it is there. */
export function opensActive(bytes: Buffer, isLast: boolean): boolean | undefined {
  let at = 0;
  while (at < bytes.length && blanks.has(bytes[at] ?? 0)) at += 1;
  if (!isLast && at + openingBytes > bytes.length) return undefined;
  return activeOpening.test(bytes.toString('latin1', at, at + openingBytes));
}
