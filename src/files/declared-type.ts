// What a client says a file is, against what its bytes prove.
import { type MediaType, mediaTypeNames, mediaTypes } from '../media/media-type.ts';

/** Our types by the names under which clients know them, their own among them. */
const named: ReadonlyMap<string, MediaType> = new Map(
  mediaTypeNames.flatMap((type) => [type, ...mediaTypes[type].aliases].map((name) => [name, type] as const)),
);

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
  const declaredType = named.get(essence);
  if (provedType === 'text/plain')
    return declaredType === 'text/csv' ? 'text/csv' : isPlain(essence) ? 'text/plain' : undefined;
  return declaredType === provedType ? provedType : undefined;
}

/** True where one of our types was declared, which bytes that prove nothing contradict. An honest other type contradicts nothing. */
export function claimsKnownType(declared: string | undefined): boolean {
  return named.has(essenceOf(declared));
}

function essenceOf(declared: string | undefined): string {
  return (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Any text but the kinds that browsers run. */
function isPlain(essence: string): boolean {
  return essence.startsWith('text/') && !/html|xml|javascript|ecmascript|css/.test(essence);
}
