// The text of an SMS: brand, code and its lifetime in the user's language, then the origin-bound line. It always fits one segment.

import { findWord } from '../kernel/closed-list.ts';
import { type Language, languages, textsIn } from '../kernel/language.ts';
import { phoneTopics, type SmsTopic } from './message-kinds.ts';
import { fillIn } from './message-texts.ts';

const gsm7 = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
const segment = { gsm7: 160, ucs2: 70 } as const;

export type SmsValues = {
  readonly brand: string;
  readonly host: string;
  readonly code: string;
  readonly minutes: number;
};

/** Falls back to English if the text does not fit one segment with this brand and host. */
export function writeSms(language: Language, values: SmsValues): string {
  const text = compose(language, values);
  return fitsOneSegment(text) ? text : compose('en', values);
}

/** The last line counts towards the segment. It is not translated. */
function compose(language: Language, { brand, host, code, minutes }: SmsValues): string {
  const text = fillIn(language, textsIn(language).sms.code, { brand, code, minutes });
  // WICG origin-bound one-time codes: browsers fill in the code only on this host.
  return `${text}\n\n@${host} #${code}`;
}

/** Falls back to English, and then to a text without the link, if the text does not fit one segment. */
export function writeNoticeSms(language: Language, topic: SmsTopic, { brand, url }: { brand: string; url: string }) {
  const inLanguage = (wanted: Language) => fillIn(wanted, textsIn(wanted).sms.notice[topic], { brand, url });
  const texts = [inLanguage(language), inLanguage('en')];
  const { noticeWithoutLink, phoneNoticeWithoutLink } = textsIn('en').sms;
  const isOfPhone = findWord(phoneTopics, topic) !== undefined;
  return texts.find(fitsOneSegment) ?? fillIn('en', isOfPhone ? phoneNoticeWithoutLink : noticeWithoutLink, { brand });
}

export function fitsOneSegment(text: string): boolean {
  return text.length <= (gsm7.test(text) ? segment.gsm7 : segment.ucs2);
}

/** Runs at start. `isFit`: the English text fits with this brand and host. `fallbacks`: the languages that fall back to English. */
export function checkSmsTexts(brand: string, host: string): { isFit: boolean; fallbacks: Language[] } {
  const values = { brand, host, code: '000000', minutes: 60 };
  return {
    isFit: fitsOneSegment(compose('en', values)),
    fallbacks: languages.filter((language) => !fitsOneSegment(compose(language, values))),
  };
}
