// The texts of the sign-in page, as its parts take them.
import { pageTexts } from '../parts/facts.ts';
import type { Texts } from '../texts/texts.ts';

export type SignInTexts = Texts['common'] & Texts['sign-in'];

export const texts = pageTexts<SignInTexts>();
