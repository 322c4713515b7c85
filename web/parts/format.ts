// Formats numbers and times in the language of the page.
import { facts } from './page-data.ts';

/** The user's variant of the page's language, such as en-GB, so that times have the usual format. Mails have the same digits and calendar. */
const locale = new Intl.Locale(
  navigator.languages.find((tag) => tag.split('-', 1)[0] === facts.language) ?? facts.language,
  { numberingSystem: 'latn', calendar: 'gregory' },
);

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** step;
  const digits = step > 0 && value < 10 ? 1 : 0;
  // Only the long unit name of bytes has a plural form.
  const unitDisplay = step === 0 ? 'long' : 'short';
  return formatUnit(value, units[step] ?? 'byte', { maximumFractionDigits: digits, unitDisplay });
}

/** `12 seconds`, `3 minutes`: rounded up, because waiting too short a time would fail. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return formatUnit(Math.ceil(seconds), 'second', { unitDisplay: 'long' });
  if (seconds < 3600) return formatUnit(Math.ceil(seconds / 60), 'minute', { unitDisplay: 'long' });
  return formatUnit(Math.ceil(seconds / 3600), 'hour', { unitDisplay: 'long' });
}

export function formatDays(days: number): string {
  return formatUnit(days, 'day', { unitDisplay: 'long' });
}

export function formatTime(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  const style = isToday
    ? { timeStyle: 'short' as const }
    : { dateStyle: 'medium' as const, timeStyle: 'short' as const };
  return new Intl.DateTimeFormat(locale, style).format(time);
}

/** The date even if it is today, for a time that a sentence names. */
export function formatDateTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));
}

/** With seconds, so that staff can compare events with what a user reports. */
export function formatMoment(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso));
}

function formatUnit(value: number, unit: string, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 0, ...options }).format(value);
}
