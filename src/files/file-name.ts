// Cleans file names from clients: no paths, no control or direction characters, limited length, and the right extension.
import { type MediaType, mediaTypes } from '../media/media-type.ts';

const maxNameBytes = 255;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export function cleanFileName(given: string | undefined, type: MediaType): string {
  const last = (given ?? '').split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069"<>:|?*]/gu, '')
    .replace(/^[.\s]+/, '')
    .trim();
  const dot = plain.lastIndexOf('.');
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  const ending = dot > 0 ? plain.slice(dot + 1).toLowerCase() : '';
  const extensions: readonly string[] = mediaTypes[type].extensions;
  const extension = extensions.includes(ending) ? plain.slice(dot + 1) : (extensions[0] ?? 'bin');
  // Keeps a wrong extension visible in the name, and appends the right one.
  const whole = extensions.includes(ending) || ending === '' ? stem : plain;
  const safe = whole === '' || reserved.test(whole) ? 'file' : whole;
  return `${cut(safe, maxNameBytes - Buffer.byteLength(extension) - 1)}.${extension}`;
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
