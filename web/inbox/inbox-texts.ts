// The texts of the inbox page, as its parts take them.
import { pageTexts } from '../parts/facts.ts';
import type { Texts } from '../texts/texts.ts';

export type InboxTexts = Texts['common'] & Texts['inbox'];

export const texts = pageTexts<InboxTexts>();
