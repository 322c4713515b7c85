// The texts and the data of the preview of the brand.
import type { Texts } from '../../locales/languages.ts';
import { facts, pageTexts } from '../parts/page-data.ts';

type Pages = Texts['pages'];

export const texts = pageTexts<Pages['common'] & Pages['brand']>();

export type Scheme = 'light' | 'dark';

export type Contrast = {
  readonly scheme: Scheme;
  readonly what: 'button' | 'button-hover' | 'link' | 'focus';
  readonly foreground: string;
  readonly background: string;
  readonly ratio: number;
  readonly least: number;
};

type Preview = {
  /** Null: BRAND_FILE is not set. */
  readonly file: string | null;
  readonly problems: readonly string[];
  readonly variables: Readonly<Record<Scheme, Readonly<Record<string, string>>>>;
  readonly contrast: readonly Contrast[];
  readonly sms: readonly {
    readonly language: string;
    readonly text: string;
    readonly characters: number;
    readonly longest: number;
    readonly segments: number;
    readonly isInEnglish: boolean;
  }[];
  readonly mails: readonly { readonly name: string; readonly subjects: Readonly<Record<string, string>> }[];
  readonly languages: readonly string[];
};

type SampleTexts = Pick<Pages['sign-in'], 'title' | 'phoneLead' | 'phone' | 'sendCode' | 'useEmail'>;

export const { preview, sample } = facts as unknown as { readonly preview: Preview; readonly sample: SampleTexts };

const names = new Intl.DisplayNames(facts.language, { type: 'language' });

export function nameLanguage(language: string): string {
  return names.of(language) ?? language;
}
