// Fills values into the ICU texts of messages.
import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, localeOf } from '../../kernel/text/language.ts';

export type TextValues = {
  readonly brand: string;
  readonly code?: string;
  readonly minutes?: number;
  readonly account?: string;
  readonly time?: string;
  readonly device?: string;
  readonly number?: string;
  readonly url?: string;
};

const formatters = new Map<string, IntlMessageFormat>();

export function fillIn(language: Language, text: string, values: TextValues): string {
  const key = `${language} ${text}`;
  const formatter = formatters.get(key) ?? new IntlMessageFormat(text, localeOf(language));
  formatters.set(key, formatter);
  return String(formatter.format({ code: '', minutes: 0, ...values }));
}
