// The texts of the sign-in page.
import type { Texts } from '../../locales/languages.ts';
import { pageTexts } from '../parts/page-data.ts';

type Pages = Texts['pages'];

type SignInTexts = Pages['common'] & Pages['sign-in'];

export const texts = pageTexts<SignInTexts>();
