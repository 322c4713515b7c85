// The texts of the inbox page.
import type { Texts } from '../../locales/languages.ts';
import { pageTexts } from '../parts/facts.ts';

type Pages = Texts['pages'];

export type InboxTexts = Pages['common'] & Pages['inbox'];

export const texts = pageTexts<InboxTexts>();
