// Cleans file names from clients: no paths, no control or direction characters, limited length, and the right extension.
import { type MediaType, mediaTypes } from '#media/media-type';

const maxNameBytes = 255;
/** Windows opens a device under these names, whatever follows the first dot. It reads raised digits as digits. */
const reserved = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

export function cleanFileName(given: string | undefined, type: MediaType): string {
  const path = (given ?? '').toWellFormed();
  const plain = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>:|?*]/gu, '')
    .normalize('NFC')
    .replace(/^[.\s]+/, '')
    .trimEnd();
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot === -1 ? [plain, ''] : [plain.slice(0, dot), plain.slice(dot + 1)];
  const extensions: readonly [string, ...string[]] = mediaTypes[type].extensions;
  const isRight = extensions.includes(ending.toLowerCase());
  const extension = isRight ? ending : extensions[0];
  // Keeps a wrong extension visible in the name, and appends the right one.
  const whole = isRight || ending === '' ? stem : plain;
  const safe = whole === '' || reserved.test(whole) ? 'file' : whole;
  return `${cut(safe, maxNameBytes - Buffer.byteLength(extension) - 1)}.${extension}`;
}

/** Whether a stored name can be the last piece of a path: no separator, no control character, of limited length. */
export function isPlainFileName(name: string): boolean {
  return /^[^/\\\p{Cc}]+$/u.test(name) && Buffer.byteLength(name) <= maxNameBytes && !/^\.{1,2}$/.test(name);
}

/** Cuts to at most `maxBytes`, never inside a character. */
function cut(text: string, maxBytes: number): string {
  let size = 0;
  let result = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    result += character;
  }
  return result;
}
