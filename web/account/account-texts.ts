// The texts of the account page.
import type { Texts } from '../../locales/languages.ts';
import { pageTexts } from '../parts/page-data.ts';

type Pages = Texts['pages'];

type AccountTexts = Pages['common'] & Pages['account'];

export const texts = pageTexts<AccountTexts>();
