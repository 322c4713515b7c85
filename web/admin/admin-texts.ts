// The texts of the admin page, as its parts take them.
import type { Texts } from '../../locales/languages.ts';
import { choosePlural } from '../parts/choose-plural.ts';
import { facts, fill, pageTexts } from '../parts/facts.ts';

type Pages = Texts['pages'];

export const texts = pageTexts<Pages['common'] & Pages['admin']>();

/** The event in words; a kind that a later version wrote is shown as it is. */
export function nameEvent(kind: string): string {
  const events: Readonly<Record<string, string>> = texts.events;
  return events[kind] ?? kind;
}

/** As `fill`, for a text with a plural. */
export function fillCount(text: string, values: Readonly<Record<string, string | number>>): string {
  return fill(choosePlural(text, values, facts.language), values);
}
