// Compares the type that a client declares with the type that the bytes prove.
import { type MediaType, mediaTypeNames, mediaTypes } from '../media/media-type.ts';

/** The known types by name and by alias. */
const named: ReadonlyMap<string, MediaType> = new Map(
  mediaTypeNames.flatMap((type) => [type, ...mediaTypes[type].aliases].map((name) => [name, type] as const)),
);

/** Declared types that say nothing about the content. */
const neutral = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** The resulting type, or undefined if the declared type contradicts the proved one. For text, the declared type decides. */
export function reconcile(declared: string | undefined, provedType: MediaType): MediaType | undefined {
  const essence = essenceOf(declared);
  if (neutral.has(essence)) return provedType;
  const declaredType = named.get(essence);
  if (provedType === 'text/plain')
    return declaredType === 'text/csv' ? 'text/csv' : isPlain(essence) ? 'text/plain' : undefined;
  return declaredType === provedType ? provedType : undefined;
}

/** Whether the client declared a known type. For a file without a proved type this is a contradiction; an unknown type is not. */
export function claimsKnownType(declared: string | undefined): boolean {
  return named.has(essenceOf(declared));
}

function essenceOf(declared: string | undefined): string {
  return (declared ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

/** Any text type except those that browsers run. */
function isPlain(essence: string): boolean {
  return essence.startsWith('text/') && !/html|xml|javascript|ecmascript|css/.test(essence);
}
