// File names as people gave them, made harmless: no paths, no control or direction characters, bounded length, an honest ending.
import { type MediaType, mediaTypes } from '../media/media-type.ts';

const maxBytes = 255;
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
  const known: readonly string[] = mediaTypes[type].extensions;
  const extension = known.includes(ending) ? plain.slice(dot + 1) : (known[0] ?? 'bin');
  // A wrong ending stays visible in the name, but the last one is true.
  const whole = known.includes(ending) || ending === '' ? stem : plain;
  const safe = whole === '' || reserved.test(whole) ? 'file' : whole;
  return `${cut(safe, maxBytes - Buffer.byteLength(extension) - 1)}.${extension}`;
}

/** Cuts at a character, never inside one. */
function cut(text: string, most: number): string {
  let size = 0;
  let result = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) break;
    result += character;
  }
  return result;
}
