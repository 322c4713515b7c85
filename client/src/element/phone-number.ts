// Reads a phone number as users type or paste it, and guesses its country. The service validates it.

export type Country = { readonly code: string; readonly callingCode: string; readonly trunkPrefix: string };

export type NamedCountry = Country & { readonly name: string };

/** The default country of a calling code that several countries share. */
const mainCountries: Readonly<Record<string, string>> = { 1: 'US', 7: 'RU', 39: 'IT', 44: 'GB', 47: 'NO', 61: 'AU' };

/** The rows that the service sends, sorted by their names in the language. */
export function readCountries(rows: string, language: string): NamedCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return rows
    .split(';')
    .map((row) => {
      const [start = '', trunkPrefix = ''] = row.split(' ');
      const code = start.slice(0, 2);
      return { code, callingCode: start.slice(2), trunkPrefix, name: names.of(code) ?? code };
    })
    .sort((one, other) => one.name.localeCompare(other.name, language));
}

/** The wanted country, or the region of the first language that has one, or the most likely region of the first language. */
export function guessCountry(
  countries: readonly Country[],
  languages: readonly string[],
  wanted: string | null,
): string {
  const locales = languages.map((tag) => new Intl.Locale(tag));
  const region = locales.find((locale) => locale.region !== undefined)?.region ?? locales[0]?.maximize().region;
  const isKnown = (one: string | null | undefined) => countries.some(({ code }) => code === one);
  return [wanted?.toUpperCase(), region].find(isKnown) ?? 'US';
}

/** The country of an international number. Keeps the chosen country if its calling code fits. */
export function countryOf(countries: readonly Country[], text: string, chosen: string): string {
  const { isInternational, digits } = readNumber(text);
  if (!isInternational) return chosen;
  const fitting = countries.filter(({ callingCode }) => digits.startsWith(callingCode));
  const longest = Math.max(0, ...fitting.map(({ callingCode }) => callingCode.length));
  const candidates = fitting.filter(({ callingCode }) => callingCode.length === longest);
  const main = mainCountries[candidates[0]?.callingCode ?? ''];
  return [chosen, main, candidates[0]?.code].find((code) => candidates.some((one) => one.code === code)) ?? chosen;
}

export function toInternational(countries: readonly Country[], text: string, chosen: string): string {
  const { isInternational, digits } = readNumber(text);
  if (isInternational) return `+${digits}`;
  const { callingCode = '', trunkPrefix = '' } = countries.find(({ code }) => code === chosen) ?? {};
  const isWithTrunk = trunkPrefix !== '' && digits.startsWith(trunkPrefix);
  return `+${callingCode}${isWithTrunk ? digits.slice(trunkPrefix.length) : digits}`;
}

/** An international number starts with a plus or two zeros. A zero in brackets, as in +44 (0)20, is not dialled. */
function readNumber(text: string): { isInternational: boolean; digits: string } {
  const plain = toAsciiDigits(text)
    .replace(/^\s*tel:/i, '')
    .trim();
  const isInternational = /^\(?(\+|00)/.test(plain);
  const digits = (isInternational ? plain.replace('(0)', '') : plain).replaceAll(/\D/g, '');
  return { isInternational, digits: isInternational && !plain.includes('+') ? digits.slice(2) : digits };
}

/** Accepts digits of any script, and ignores the text around them in a pasted message. */
export function readCode(text: string): string {
  return toAsciiDigits(text).replaceAll(/\D/g, '').slice(0, 6);
}

function toAsciiDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode decimal digits are in runs of ten that start with zero, so this counts back to the zero. */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  if (point < 128) return Number(digit);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return value;
}
