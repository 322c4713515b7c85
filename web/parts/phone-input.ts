// Reads a phone number as users type or paste it, and guesses its country. The server validates it.
import { countries as rows } from 'gatehouse:countries';

type Country = {
  readonly code: string;
  readonly callingCode: string;
  readonly trunkPrefix: string;
  /** How many digits of a mobile number stand together: `46`. */
  readonly groups: string;
};

const countries: readonly Country[] = rows.split(';').map((row) => {
  const [, code = '', callingCode = '', trunkPrefix = '', groups = ''] = /^(..)(\d+) ?(\d*) ?(\d*)$/.exec(row) ?? [];
  return { code, callingCode, trunkPrefix, groups };
});

/** The default country of a calling code that several countries share. */
const mainCountries: Readonly<Record<string, string>> = { 1: 'US', 7: 'RU', 39: 'IT', 44: 'GB', 47: 'NO', 61: 'AU' };

export function listCountries(language: string): (Country & { readonly name: string })[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return countries
    .map((country) => ({ ...country, name: names.of(country.code) ?? country.code }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
}

/** The region of the first language that has one, or the most likely region of the first language. */
export function guessCountry(languages: readonly string[]): string {
  const locales = languages.map((tag) => new Intl.Locale(tag));
  const region = locales.find((locale) => locale.region !== undefined)?.region ?? locales[0]?.maximize().region;
  return countries.find(({ code }) => code === region)?.code ?? 'US';
}

/** The country of an international number. Keeps the chosen country if its calling code fits. */
export function countryOf(text: string, chosen: string | undefined): string | undefined {
  const number = readNumber(text);
  if (!number.isInternational) return undefined;
  const fitting = countries.filter(({ callingCode }) => number.digits.startsWith(callingCode));
  const longest = fitting.reduce((most, { callingCode }) => Math.max(most, callingCode.length), 0);
  const candidates = fitting.filter(({ callingCode }) => callingCode.length === longest);
  const main = mainCountries[candidates[0]?.callingCode ?? ''];
  return [chosen, main].find((code) => candidates.some((one) => one.code === code)) ?? candidates[0]?.code;
}

export function toInternational(text: string, country: string): string {
  const { isInternational, digits } = readNumber(text);
  if (isInternational) return `+${digits}`;
  const { callingCode = '', trunkPrefix = '' } = countries.find(({ code }) => code === country) ?? {};
  const isWithTrunk = trunkPrefix !== '' && digits.startsWith(trunkPrefix);
  return `+${callingCode}${isWithTrunk ? digits.slice(trunkPrefix.length) : digits}`;
}

/** Groups the digits of an international number as its country does. Any other text, such as an e-mail address, stays as it is. */
export function formatPhone(text: string): string {
  const code = /^\+\d+$/.test(text) ? countryOf(text, undefined) : undefined;
  const { callingCode = '', groups = '' } = countries.find((country) => country.code === code) ?? {};
  const parts = [`+${callingCode}`];
  let rest = text.slice(parts[0]?.length);
  for (const size of [...groups].slice(0, -1).map(Number)) {
    // No digit stands alone at the end.
    if (rest.length < size + 2) break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  // The spaces do not break. In a text from right to left, the groups keep their order.
  return code === undefined ? text : isolateDigits([...parts, rest].join('\u00a0'));
}

function isolateDigits(number: string): string {
  return document.dir === 'rtl' ? `\u2066${number}\u2069` : number;
}

/** An international number starts with a plus or two zeros. A zero in brackets, as in +44 (0)20, is not dialled. */
function readNumber(text: string): { isInternational: boolean; digits: string } {
  const plain = text
    .normalize('NFKC')
    .replace(/^\s*tel:/i, '')
    .trim();
  const isInternational = /^\(?(\+|00)/.test(plain);
  const digits = (isInternational ? plain.replace(/\(0\)/, '') : plain).replaceAll(/\D/g, '');
  return { isInternational, digits: isInternational && !plain.includes('+') ? digits.slice(2) : digits };
}
