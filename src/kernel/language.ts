// The languages of the service, their texts, and the choice of a language by an Accept-Language header.
import { locales, type Texts } from '../../locales/languages.ts';

export type Language = keyof typeof locales;

export const languages = Object.keys(locales) as readonly Language[];

/** The rules about files that have a text. */
export type FileRuleName = keyof Texts['api']['fileRule'];

/** All texts of a language in ICU MessageFormat, by section. */
export function textsIn(language: Language): Texts {
  return locales[language];
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
    const language = primary === '*' ? 'en' : languages.find((known) => known === primary);
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
