// Says when to try again: `in 42 seconds`, `in 9 minutes`, `in 3 hours`.
import { type Language, localeOf } from '../text/language.ts';

const minute = 60;
const hour = 60 * minute;

/** Rounded up, because a try before the end would be refused. */
export function writeWait(language: Language, seconds: number): string {
  const format = formatIn(language);
  const write = (length: number, unit: 'second' | 'minute' | 'hour') =>
    format.format(Math.ceil(seconds / length), unit);
  const text =
    seconds < 2 * minute ? write(1, 'second') : seconds < 2 * hour ? write(minute, 'minute') : write(hour, 'hour');
  // The platform says “within” in Arabic. What is meant is “after”.
  return language === 'ar' ? text.replace(/^خلال /, 'بعد ') : text;
}

const formats = new Map<Language, Intl.RelativeTimeFormat>();

/** Kept, because making one costs more than using it. */
function formatIn(language: Language): Intl.RelativeTimeFormat {
  const known = formats.get(language) ?? new Intl.RelativeTimeFormat(localeOf(language));
  formats.set(language, known);
  return known;
}
