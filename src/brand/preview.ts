// What the preview of a brand shows: the problems of the file, its colours and their contrast, and every message.
import { type Language, languages } from '../kernel/text/language.ts';
import { checkSmsTexts } from '../messages/texts/sms-text.ts';
import { type Accent, type Contrast, measureContrast, schemes, usualAccent } from './accent.ts';
import type { Brand } from './brand.ts';
import { variablesOf } from './brand-css.ts';
import { mailNames, type SampleSms, writeSampleMail, writeSampleSms } from './sample-messages.ts';

/** The file as it is now. With problems, the brand is the usual one. */
export type BrandNow = {
  readonly brand: Brand;
  /** Null: BRAND_FILE is not set. */
  readonly file: string | null;
  readonly problems: readonly string[];
};

/** The fact `preview` of the page brand. */
type BrandPreview = {
  readonly file: string | null;
  readonly problems: readonly string[];
  /** The variables of the pages that the accent sets. */
  readonly variables: Readonly<Record<keyof Accent, Readonly<Record<string, string>>>>;
  readonly contrast: readonly Contrast[];
  readonly sms: readonly (SampleSms & { readonly isInEnglish: boolean })[];
  readonly mails: readonly { readonly name: string; readonly subjects: Readonly<Record<string, string>> }[];
  readonly languages: readonly Language[];
};

export function describePreview({ brand, file, problems }: BrandNow, publicUrl: string): BrandPreview {
  const accent = brand.accent ?? usualAccent;
  const { fallbacks } = checkSmsTexts(brand.name, new URL(publicUrl).hostname, brand.texts);
  return {
    file,
    problems,
    variables: { light: variablesOf(accent.light), dark: variablesOf(accent.dark) },
    contrast: schemes.flatMap((scheme) => measureContrast(scheme, accent[scheme])),
    sms: writeSampleSms(brand, publicUrl).map((sms) => ({ ...sms, isInEnglish: fallbacks.includes(sms.language) })),
    mails: mailNames.map((name) => ({
      name,
      subjects: Object.fromEntries(
        languages.map((language) => [language, writeSampleMail(brand, name, language, publicUrl)?.subject ?? '']),
      ),
    })),
    languages,
  };
}
