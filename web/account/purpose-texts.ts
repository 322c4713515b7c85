// Names a purpose and describes which files it accepts. A purpose without a text is shown by its own name.
import type { Calls } from '../../client/src/api-types.ts';
import { fill } from '../parts/facts.ts';
import { formatBytes } from '../parts/format.ts';
import { texts } from './account-texts.ts';

export type Purpose = Calls['listPurposes']['data']['purposes'][number];

export function namePurpose(name: string): string {
  const known: Readonly<Record<string, string>> = {
    avatar: texts.purposeAvatar,
    image: texts.purposeImage,
    document: texts.purposeDocument,
    audio: texts.purposeAudio,
    video: texts.purposeVideo,
    attachment: texts.purposeAttachment,
  };
  return known[name] ?? name;
}

export function describePurpose({ extensions, maxBytes }: Purpose): string {
  return fill(texts.purposeTakes, { types: listTypes(extensions), size: formatBytes(maxBytes) });
}

/** One name per type: users do not distinguish `.jpg` and `.jpeg`. */
export function listTypes(extensions: readonly string[]): string {
  const names = extensions.map((extension) => extension.replace(/^\./, '').toUpperCase().replace('JPEG', 'JPG'));
  return [...new Set(names)].join(', ');
}
