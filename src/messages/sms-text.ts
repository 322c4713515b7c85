// The text of an SMS: brand, code and life in the person's language, then the origin-bound last line; one segment, always.
import { type Language, languages, textsIn } from '../kernel/language.ts';
import { fillIn } from './message-texts.ts';

const gsm7 = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
const segment = { gsm7: 160, ucs2: 70 } as const;

export type SmsFigures = {
  readonly brand: string;
  readonly host: string;
  readonly code: string;
  readonly minutes: number;
};

/** Falls back to English where the language's text would not fit one segment with this brand and host. */
export function writeSms(language: Language, figures: SmsFigures): string {
  const own = compose(language, figures);
  return fitsOneSegment(own) ? own : compose('en', figures);
}

/** The last line is part of the one segment, and no translator's business. */
function compose(language: Language, { brand, host, code, minutes }: SmsFigures): string {
  const text = fillIn(language, textsIn(language).sms.code, { brand, code, minutes });
  // WICG origin-bound one-time codes: browsers fill the code in on this host only.
  return `${text}\n\n@${host} #${code}`;
}

export function fitsOneSegment(text: string): boolean {
  return text.length <= (gsm7.test(text) ? segment.gsm7 : segment.ucs2);
}

/** Checked at start: English must fit, whatever the brand and host; names the languages that fall back to it. */
export function checkSmsTexts(brand: string, host: string): { isFit: boolean; fallbacks: Language[] } {
  const figures = { brand, host, code: '000000', minutes: 60 };
  return {
    isFit: fitsOneSegment(compose('en', figures)),
    fallbacks: languages.filter((language) => !fitsOneSegment(compose(language, figures))),
  };
}
