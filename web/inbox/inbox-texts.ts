// The texts of the inbox page.
import type { Texts } from '../../locales/languages.ts';
import { pageTexts } from '../parts/page-data.ts';

type Pages = Texts['pages'];

type InboxTexts = Pages['common'] & Pages['inbox'];

export const texts = pageTexts<InboxTexts>();
