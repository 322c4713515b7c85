// The pages' texts in every language.
import { en } from './en.ts';

export const texts = { en, es: en, de: en, fr: en, pt: en, ru: en, tr: en, zh: en };
