// The details of an event in words: each with its name, and times and sizes as people write them.
import { formatBytes, formatTime } from '../parts/format.ts';
import { isolate } from '../parts/page-data.ts';
import { texts } from './admin-texts.ts';
import { nameCountry } from './name-country.ts';

type Detail = Readonly<Record<string, unknown>>;

/** Details that are shown in another place, or that mean nothing to staff. */
const hidden: ReadonlySet<string> = new Set([
  'actor',
  'token',
  'why',
  'message',
  'session',
  'admin',
  'kind',
  'link',
  'sha256',
]);

const names: Readonly<Record<string, string>> = texts.details;
const words: Readonly<Record<string, string>> = texts.values;

/** Details whose value is one of our own words. */
const worded: ReadonlySet<string> = new Set(['method', 'device', 'channel', 'purpose', 'reason']);

/** A word of ours as staff say it. A word of the operator, such as a purpose, stays as it is. */
export function writeWord(word: string): string {
  return words[word] ?? word;
}

/** A detail of a later version keeps its own name. */
export function writeDetail(detail: Detail): string {
  return Object.entries(detail)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => `${names[name] ?? name}: ${isolate(writeValue(name, value))}`)
    .join(' · ');
}

function writeValue(name: string, value: unknown): string {
  if (name === 'size' && typeof value === 'number') return formatBytes(value);
  if ((name === 'effectiveAt' || name === 'until') && !Number.isNaN(Date.parse(toIso(value))))
    return formatTime(toIso(value));
  if (worded.has(name)) return writeWord(String(value));
  return name === 'country' ? nameCountry(String(value)) : String(value);
}

function toIso(value: unknown): string {
  return typeof value === 'number' ? new Date(value).toISOString() : String(value);
}
