// The texts of the admin page, as its parts take them.
import { pageTexts } from '../parts/facts.ts';
import type { AdminTexts } from '../texts/admin/en.ts';
import type { Texts } from '../texts/texts.ts';

export const texts = pageTexts<Texts['common'] & AdminTexts>();
