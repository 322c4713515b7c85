// Reads users of Auth0: an export job or the export of its dashboard, as one JSON object per line or as CSV, where each field of the metadata has a column.
import { asRecord } from '../../kernel/text/as-record.ts';
import { isTrue, objectOf, pickTexts, textOf, timeOf } from './fields.ts';
import type { Entry, Source, Splitter } from './foreign-user.ts';
import { splitCsv } from './split-csv.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

type Fields = Readonly<Record<string, unknown>>;

const profile = ['name', 'given_name', 'family_name', 'nickname', 'picture', 'locale'];
const facts = ['email', 'email_verified', 'phone_number', 'phone_verified', 'created_at', 'last_login', 'blocked'];

/** Its dashboard writes Id, Email Verified and Created At. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const byPlainName = new Map([
  ['id', 'user_id'],
  ...['user_id', ...facts, ...profile].map((name) => [plain(name), name] as const),
]);
const nameOf = (name: string) => byPlainName.get(plain(name)) ?? name;
const identifiers = ['user_id', 'email', 'phone_number'];

export const auth0: Source = {
  split: (start) => {
    if (start.startsWith('[')) return splitJson('users');
    if (start.startsWith('{')) return splitLines();
    const needs = ['phone_number', 'email'];
    return withoutMarks(splitCsv({ needs, start, nameOf: (column) => nameOf(unmarked(column)) }));
  },
  read: (given) => {
    const record = Object.fromEntries(Object.entries(given).map(([name, value]) => [nameOf(name), value]));
    return {
      externalId: textOf(record.user_id),
      phone: textOf(record.phone_number),
      isPhoneVerified: isTrue(record.phone_verified),
      email: textOf(record.email),
      isEmailVerified: isTrue(record.email_verified),
      createdAt: timeOf(record.created_at),
      lastSeenAt: timeOf(record.last_login),
      isBlocked: isTrue(record.blocked),
      'metadata.public': joined(pickTexts(record, profile), metadataOf(record, 'user_metadata')),
      'metadata.private': metadataOf(record, 'app_metadata'),
    };
  },
};

/**
 * Its CSV has an apostrophe before each text, so that a spreadsheet runs no formula; numbers, booleans and its own dates have none.
 * JSON and old files have none, and an address may begin with one of its own. So one is taken only in CSV, where the first record and
 * this one have it before every id, address and number.
 */
function withoutMarks(splitter: Splitter): Splitter {
  let isMarkedFile: boolean | undefined;
  const clean = (entry: Entry): Entry => {
    if ('problem' in entry) return entry;
    const record = asRecord(entry.value);
    const texts = identifiers.map((name) => textOf(record[name])).filter((text) => text !== undefined);
    if (texts.length === 0) return entry;
    const isMarked = texts.every((text) => unmarked(text) !== text);
    isMarkedFile ??= isMarked;
    if (!isMarkedFile || !isMarked) return entry;
    return {
      line: entry.line,
      value: Object.fromEntries(Object.entries(record).map(([name, value]) => [name, unmarked(value)])),
    };
  };
  return { push: (text) => splitter.push(text).map(clean), end: () => splitter.end().map(clean) };
}

function unmarked<T>(value: T): T | string {
  return typeof value === 'string' && value.startsWith("'") ? value.slice(1) : value;
}

/** The whole object, or the columns `user_metadata.country` of a CSV file. */
function metadataOf(record: Fields, name: string): unknown {
  const whole = objectOf(record[name]);
  if (whole !== undefined) return whole;
  const start = `${name}.`;
  const columns = Object.keys(record).filter((column) => column.startsWith(start));
  const picked = pickTexts(record, columns);
  return (
    picked && Object.fromEntries(Object.entries(picked).map(([column, text]) => [column.slice(start.length), text]))
  );
}

/** Metadata that is no object is passed on, so that it is left out with a reason. */
function joined(own: Readonly<Record<string, string>> | undefined, metadata: unknown): unknown {
  if (own === undefined || metadata === undefined) return own ?? metadata;
  return typeof metadata === 'object' && !Array.isArray(metadata) ? { ...own, ...metadata } : metadata;
}
