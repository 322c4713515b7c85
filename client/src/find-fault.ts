// Why a file cannot be taken for a purpose, as far as its name, type and size tell; the service judges by the bytes.
import type { Calls } from './api-types.ts';

export type Purpose = Calls['listPurposes']['data']['purposes'][number];

export type FileFault =
  | { readonly code: 'FILE_EMPTY' }
  | { readonly code: 'FILE_TOO_LARGE'; readonly maxBytes: number }
  | { readonly code: 'FILE_TYPE_NOT_ALLOWED'; readonly extensions: readonly string[] };

export function findFault(
  { name, size, type }: Pick<File, 'name' | 'size' | 'type'>,
  { types, extensions, maxBytes }: Pick<Purpose, 'types' | 'extensions' | 'maxBytes'>,
): FileFault | undefined {
  if (size === 0) return { code: 'FILE_EMPTY' };
  if (size > maxBytes) return { code: 'FILE_TOO_LARGE', maxBytes };
  const essence = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  // Systems disagree on types: either of the two speaks for the file, and one that says nothing is not held against it.
  const says = [essence !== '' && essence !== 'application/octet-stream', ending !== ''];
  const isTaken = types.includes(essence) || extensions.includes(ending) || !says.includes(true);
  return isTaken ? undefined : { code: 'FILE_TYPE_NOT_ALLOWED', extensions };
}
