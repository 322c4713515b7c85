// Every language's texts for messages, filled in.
import { IntlMessageFormat } from 'intl-messageformat';
import { de } from '../delivery/texts/de.ts';
import { en, type MessageTexts } from '../delivery/texts/en.ts';
import { es } from '../delivery/texts/es.ts';
import { fr } from '../delivery/texts/fr.ts';
import { pt } from '../delivery/texts/pt.ts';
import { ru } from '../delivery/texts/ru.ts';
import { tr } from '../delivery/texts/tr.ts';
import { zh } from '../delivery/texts/zh.ts';
import type { Language } from '../kernel/language.ts';

export const messageTexts: Readonly<Record<Language, MessageTexts>> = { en, es, de, fr, pt, ru, tr, zh };

export type TextFigures = { readonly brand: string; readonly code?: string; readonly minutes?: number };

const formatters = new Map<string, IntlMessageFormat>();

export function fillIn(language: Language, text: string, figures: TextFigures): string {
  const key = `${language} ${text}`;
  const formatter = formatters.get(key) ?? new IntlMessageFormat(text, language);
  formatters.set(key, formatter);
  return String(formatter.format({ code: '', minutes: 0, ...figures }));
}
