// Messages by language and code, formatted; those without figures are ready as they are.
import { IntlMessageFormat } from 'intl-messageformat';
import type { FailureCode, FailureDetail } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import { de } from '../messages/de.ts';
import { type Catalogue, en, type SuccessCode } from '../messages/en.ts';
import { es } from '../messages/es.ts';
import { fr } from '../messages/fr.ts';
import { pt } from '../messages/pt.ts';
import { ru } from '../messages/ru.ts';
import { tr } from '../messages/tr.ts';
import { zh } from '../messages/zh.ts';

export const catalogues: Readonly<Record<Language, Catalogue>> = { en, es, de, fr, pt, ru, tr, zh };

export function successMessage(language: Language, code: SuccessCode): string {
  return catalogues[language].success[code];
}

export function failureMessage(language: Language, code: FailureCode, detail: FailureDetail): string {
  const text = catalogues[language].failure[code];
  if (!text.includes('{')) return text;
  const {
    field = 'none',
    list = 'none',
    limit = '',
    allow = '',
    requestId = '',
    left = 0,
    retryAfterSeconds = 1,
  } = detail;
  return String(formatter(language, text).format({ field, list, limit, allow, requestId, left, retryAfterSeconds }));
}

const formatters = new Map<string, IntlMessageFormat>();

function formatter(language: Language, text: string): IntlMessageFormat {
  const key = `${language} ${text}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new IntlMessageFormat(text, language);
  formatters.set(key, made);
  return made;
}
