// The languages of the service, their names and directions, and the choice of a language by what a request says.
import { type Direction, traits } from '../../../locales/traits.ts';

export type Language = keyof typeof traits;

export const languages = Object.keys(traits) as readonly Language[];

export function directionOf(language: Language): Direction {
  return traits[language].direction;
}

/** How the language names itself. */
export function nameOf(language: Language): string {
  return traits[language].name;
}

/** For `Intl`. Digits are 0 to 9 in every language: codes and phone numbers are written with them. */
export function localeOf(language: Language): string {
  return `${language}-u-nu-latn`;
}

/** A value inside a text that is written from right to left keeps its own order: +49 151 stays +49 151. */
export function isolateIn(language: Language, value: string): string {
  return directionOf(language) === 'rtl' && value !== '' ? `\u2068${value}\u2069` : value;
}

export function findLanguage(code: string | undefined): Language | undefined {
  return languages.find((known) => known === code);
}

/** The first language of ours in a list such as `fr-CA fr en`, by primary subtag. */
export function chooseNamed(list: string): Language | undefined {
  for (const tag of list.split(' ')) {
    const language = findLanguage(tag.toLowerCase().split('-', 1)[0]);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** Follows RFC 9110 section 12.5.4, by primary subtag. The default is English. */
export function chooseLanguage(header: string | undefined): Language {
  if (header === undefined || header === '' || header.length > 1000) return 'en';
  let best: Language = 'en';
  let bestQuality = 0;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const quality = readQuality(parameters);
    const primary = range.trim().toLowerCase().split('-', 1)[0];
    const language = primary === '*' ? 'en' : findLanguage(primary);
    if (language !== undefined && quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}

function readQuality(parameters: string[]): number {
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=');
    if (name?.trim() !== 'q') continue;
    const quality = Number(value?.trim());
    return quality >= 0 && quality <= 1 ? quality : 0;
  }
  return 1;
}
