// Checks a file against a purpose before the upload, by name, type and size. The service checks the content.
import type { Calls } from './api-types.ts';

export type Purpose = Calls['listPurposes']['data']['purposes'][number];

export type FileFault =
  | { readonly code: 'FILE_EMPTY' }
  | { readonly code: 'FILE_TOO_LARGE'; readonly maxBytes: number }
  | { readonly code: 'FILE_TYPE_NOT_ALLOWED'; readonly extensions: readonly string[] };

/**
 * Returns why the service would refuse a file for a purpose, or undefined if nothing is known to be wrong.
 * It looks at name, type and size only, so it can run before the upload. The service checks the content.
 * @example
 * const purpose = { types: ['image/png'], extensions: ['png'], maxBytes: 1_000_000 };
 * const fault = findFault(new File(['text'], 'notes.txt'), purpose);
 * console.log(fault?.code); // FILE_TYPE_NOT_ALLOWED
 */
export function findFault(
  { name, size, type }: Pick<File, 'name' | 'size' | 'type'>,
  { types, extensions, maxBytes }: Pick<Purpose, 'types' | 'extensions' | 'maxBytes'>,
): FileFault | undefined {
  if (size === 0) return { code: 'FILE_EMPTY' };
  if (size > maxBytes) return { code: 'FILE_TOO_LARGE', maxBytes };
  const essence = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  // Systems disagree on media types, so a match by type or by extension is enough. A file without both is accepted.
  const hints = [essence !== '' && essence !== 'application/octet-stream', ending !== ''];
  const isAccepted = types.includes(essence) || extensions.includes(ending) || !hints.includes(true);
  return isAccepted ? undefined : { code: 'FILE_TYPE_NOT_ALLOWED', extensions };
}
