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
  const ending = endingOf(name);
  // Systems disagree on media types, so a match by type or by extension is enough. Without an extension, a related type is enough.
  const isRelated = ending === '' ? sharesFamily : sharesFormat;
  const isAccepted = extensions.includes(ending) || types.some((each) => isRelated(essence, each));
  return isAccepted ? undefined : { code: 'FILE_TYPE_NOT_ALLOWED', extensions };
}

/** `Holiday 12.08.2024` and `Dr. Smith` have none, and `photo.jpg_large` has none that says anything. */
function endingOf(name: string): string {
  const ending = /\.([^.]+)$/.exec(name.trim().toLowerCase())?.[1] ?? '';
  return /^(?=.*[a-z])[a-z\d]{1,5}$/.test(ending) ? ending : '';
}

/** Systems call a video what contains only sound (`video/mp4` for `audio/mp4`), and most text types are plain text. */
function sharesFormat(essence: string, accepted: string): boolean {
  if (accepted === 'text/plain' && /^text\/(?!.*(html|xml|script|css))/.test(essence)) return true;
  return (
    essence === accepted || (isMedia(essence) && isMedia(accepted) && essence.split('/')[1] === accepted.split('/')[1])
  );
}

/** The service knows other names of a type, such as `audio/x-m4a`. Only a picture is surely no sound, and no text is either. */
function sharesFamily(essence: string, accepted: string): boolean {
  const family = familyOf(essence);
  return family === 'other' || family === familyOf(accepted);
}

function familyOf(essence: string): 'image' | 'media' | 'other' {
  if (isMedia(essence)) return 'media';
  return essence.startsWith('image/') ? 'image' : 'other';
}

function isMedia(essence: string): boolean {
  return /^(audio|video)\//.test(essence);
}
