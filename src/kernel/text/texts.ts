// The texts of every language. A thread that writes no text for people does not load them: they take up to 5 MiB in each.
import { locales, type Texts } from '../../../locales/languages.ts';
import type { Language } from './language.ts';

/** The rules about files that have a text. */
export type FileRuleName = keyof Texts['api']['fileRule'];

/** The texts of SMS and mails. */
export type MessageTexts = Pick<Texts, 'sms' | 'mail'>;

/** All texts of a language in ICU MessageFormat, by section. */
export function textsIn(language: Language): Texts {
  return locales[language];
}
