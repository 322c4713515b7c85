// Every language's texts for messages, filled in.
import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../kernel/language.ts';
import { de } from './texts/de.ts';
import { en, type MessageTexts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { pt } from './texts/pt.ts';
import { ru } from './texts/ru.ts';
import { tr } from './texts/tr.ts';
import { zh } from './texts/zh.ts';

export const messageTexts: Readonly<Record<Language, MessageTexts>> = { en, es, de, fr, pt, ru, tr, zh };

export type TextFigures = { readonly brand: string; readonly code?: string; readonly minutes?: number };

const formatters = new Map<string, IntlMessageFormat>();

export function fillIn(language: Language, text: string, figures: TextFigures): string {
  const key = `${language} ${text}`;
  const formatter = formatters.get(key) ?? new IntlMessageFormat(text, language);
  formatters.set(key, formatter);
  return String(formatter.format({ code: '', minutes: 0, ...figures }));
}
