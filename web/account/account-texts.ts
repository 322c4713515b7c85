// The texts of the account page.
import type { Texts } from '../../locales/languages.ts';
import { pageTexts } from '../parts/facts.ts';

type Pages = Texts['pages'];

export type AccountTexts = Pages['common'] & Pages['account'];

export const texts = pageTexts<AccountTexts>();
