// Reads the fields of a foreign record: the same value has another spelling in each export.
import { asRecord } from '../../kernel/text/as-record.ts';

/** Undefined if it is missing, empty or no text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** JSON has numbers of any length, but JavaScript rounds long ones: two ids could become the same. */
export function isRounded(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/** Only a clear yes is one. */
export function isTrue(value: unknown): boolean {
  return (
    value === true || value === 1 || ['true', 't', '1', 'yes', 'y', 'on'].includes((textOf(value) ?? '').toLowerCase())
  );
}

/** For a field that may be left out. A word that is not clear is not taken for a yes. */
export function isTrueOrMissing(value: unknown): boolean {
  return isTrue(value) || value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

export function isFalse(value: unknown): boolean {
  return (
    value === false ||
    value === 0 ||
    ['false', 'f', '0', 'no', 'n', 'off'].includes((textOf(value) ?? '').toLowerCase())
  );
}

/** Numbers below this are seconds, others milliseconds: it is the year 1973 in milliseconds. */
const firstMilliseconds = 100_000_000_000;

/** Milliseconds or seconds since the epoch, ISO 8601, or the form of PostgreSQL: 2024-01-31 08:15:00.123456+00. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const number = Number(text);
  const time = Number.isFinite(number)
    ? number * (Math.abs(number) < firstMilliseconds ? 1000 : 1)
    : Date.parse(text.replace(/^(\S+) (\d)/, '$1T$2').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isFinite(time) ? Math.round(time) : undefined;
}

/** An object, or a text that contains one as JSON. Any other value stays what it is, so that it can be refused. */
export function objectOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  if (value.trim() === '') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed ?? undefined;
  } catch {
    return value;
  }
}

/** The named fields that have a text, under other names where one is given. Undefined if there is none. */
export function pickTexts(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const entries = names.flatMap((name) => {
    const text = textOf(record[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Without these fields. Undefined if nothing is left. */
export function without(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const rest = Object.entries(asRecord(value)).filter(([name]) => !names.includes(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
