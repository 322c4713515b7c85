// What a client says a file is, against what its bytes prove.
import { type MediaType, mediaTypes } from '../media/media-type.ts';

/** Other names under which clients know our types. */
const aliases: Readonly<Record<string, MediaType>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
  'application/csv': 'text/csv',
  'text/comma-separated-values': 'text/csv',
  'application/vnd.ms-excel': 'text/csv',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/aac': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
};

/** Says nothing about the content. */
const silent = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** The type that counts, or undefined when the declared one contradicts the proved one. Among text types the declared one decides. */
export function reconcile(declared: string | undefined, provedType: MediaType): MediaType | undefined {
  const essence = essenceOf(declared);
  if (silent.has(essence)) return provedType;
  const named = essence in mediaTypes ? (essence as MediaType) : aliases[essence];
  if (provedType === 'text/plain')
    return named === 'text/csv' ? 'text/csv' : isPlain(essence) ? 'text/plain' : undefined;
  return named === provedType ? provedType : undefined;
}

/** True where one of our types was declared, which bytes that prove nothing contradict. An honest other type contradicts nothing. */
export function claimsKnownType(declared: string | undefined): boolean {
  const essence = essenceOf(declared);
  return essence in mediaTypes || essence in aliases;
}

function essenceOf(declared: string | undefined): string {
  return (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Any text but the kinds that browsers run. */
function isPlain(essence: string): boolean {
  return essence.startsWith('text/') && !/html|xml|javascript|ecmascript|css/.test(essence);
}
