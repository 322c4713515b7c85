// The texts of the account page, as its parts take them.
import { pageTexts } from '../parts/facts.ts';
import type { Texts } from '../texts/texts.ts';

export type AccountTexts = Texts['common'] & Texts['account'];

export const texts = pageTexts<AccountTexts>();
