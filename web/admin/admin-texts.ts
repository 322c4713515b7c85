// The texts of the admin page.
import type { Texts } from '../../locales/languages.ts';
import { choosePlural } from '../parts/choose-plural.ts';
import { facts, fill, pageTexts } from '../parts/facts.ts';

type Pages = Texts['pages'];

export const texts = pageTexts<Pages['common'] & Pages['admin']>();

/** Like `fill`, for a text with a plural. */
export function fillCount(text: string, values: Readonly<Record<string, string | number>>): string {
  return fill(choosePlural(text, values, facts.language), values);
}
