// Compares the type that a client declares with the type that the bytes prove.
import { agrees, isNameOf, type MediaType, mediaTypeNames, mediaTypes } from '#media/media-type';

/** Declared types that say nothing about the content. */
const neutral = new Set([
  'application/octet-stream',
  'application/x-octet-stream',
  'binary/octet-stream',
  'application/binary',
  'application/x-binary',
  'application/macbinary',
  'application/download',
  'application/x-download',
  'application/force-download',
  'application/x-force-download',
  'application/unknown',
  'application/x-unknown',
  'unknown/unknown',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** RFC 6838 section 4.2. Wildcards, and words such as `undefined` that a program wrote by mistake, are no types. */
const typeForm = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/;

/** The resulting type, or undefined if the declared type contradicts the proved one. Among text types the declared type decides, then the name. */
export function reconcile(
  declared: string | undefined,
  provedType: MediaType,
  name: string | undefined,
): MediaType | undefined {
  const essence = essenceOf(declared);
  if (isSilent(essence)) return provedType === 'text/plain' && extensionOf(name) === 'csv' ? 'text/csv' : provedType;
  if (provedType !== 'text/plain') return agrees(essence, provedType) ? provedType : undefined;
  if (agrees(essence, 'text/csv')) return 'text/csv';
  return isPlainText(essence) ? 'text/plain' : undefined;
}

/** Whether the client declared a known type. For a file without a proved type this is a contradiction; an unknown type is not. */
export function claimsKnownType(declared: string | undefined): boolean {
  const essence = essenceOf(declared);
  return mediaTypeNames.some((type) => isNameOf(essence, type));
}

/** Whether the client names a format that the service does not know, such as JSON, RTF or a presentation. It may well be right. */
export function claimsUnknownType(declared: string | undefined): boolean {
  const essence = essenceOf(declared);
  return !isSilent(essence) && !isPlainText(essence) && !mediaTypeNames.some((type) => agrees(essence, type));
}

/** Whether the client says that the file is text. */
export function claimsText(declared: string | undefined): boolean {
  const essence = essenceOf(declared);
  return !isSilent(essence) && (isPlainText(essence) || isNameOf(essence, 'text/csv'));
}

/** Whether the name ends like the name of a text. */
export function isTextName(name: string | undefined): boolean {
  const extension = extensionOf(name);
  return (['text/plain', 'text/csv'] as const).some((type) =>
    mediaTypes[type].extensions.some((each) => each === extension),
  );
}

/** The parameter `charset` as it was declared. */
export function charsetOf(declared: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(declared ?? '') ?? [];
  return quoted ?? plain;
}

function isSilent(essence: string): boolean {
  return neutral.has(essence) || !typeForm.test(essence);
}

function essenceOf(declared: string | undefined): string {
  return (declared ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

function extensionOf(name: string | undefined): string | undefined {
  return /\.([^.]+)$/
    .exec(name ?? '')?.[1]
    ?.trim()
    .toLowerCase();
}

/** Any text type except those that browsers run. */
function isPlainText(essence: string): boolean {
  if (agrees(essence, 'text/plain')) return true;
  return essence.startsWith('text/') && !/html|xml|javascript|ecmascript|css/.test(essence);
}
