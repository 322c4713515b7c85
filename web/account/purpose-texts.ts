// Names a purpose and describes which files it accepts. A purpose without a text is shown by its own name.
import type { Calls } from '../../client/src/api-types.ts';
import { formatBytes } from '../parts/format.ts';
import { facts, fill } from '../parts/page-data.ts';
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

/** What any purpose accepts, in kinds: the list of all types would be too long to read. */
export function describeAll(purposes: readonly Purpose[]): string {
  const accepted = purposes.map(({ accept }) => accept).join(',');
  const kinds = [
    accepted.includes('image/') && texts.kindImage,
    /application\/|text\//.test(accepted) && texts.kindDocument,
    accepted.includes('audio/') && texts.kindAudio,
    accepted.includes('video/') && texts.kindVideo,
  ].filter((kind) => kind !== false);
  const list = new Intl.ListFormat(facts.language, { type: 'unit', style: 'short' }).format(kinds);
  const types = list.charAt(0).toLocaleUpperCase(facts.language) + list.slice(1);
  const size = formatBytes(Math.max(...purposes.map(({ maxBytes }) => maxBytes)));
  return fill(texts.purposeTakes, { types, size });
}

/** One name per type: users do not distinguish `.jpg` and `.jpeg`. */
const sameNames: Readonly<Record<string, string>> = {
  JPEG: 'JPG',
  JPE: 'JPG',
  JFIF: 'JPG',
  APNG: 'PNG',
  M4B: 'M4A',
  M4V: 'MP4',
  WAVE: 'WAV',
  WEBA: 'WEBM',
};

export function listTypes(extensions: readonly string[]): string {
  const names = extensions
    .map((extension) => extension.replace(/^\./, '').toUpperCase())
    .map((name) => sameNames[name] ?? name);
  return [...new Set(names)].join(', ');
}
