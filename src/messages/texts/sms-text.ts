// The text of an SMS: brand, code and its lifetime in the user's language, then the origin-bound line. It always fits one segment.

import { findWord } from '../../kernel/text/closed-list.ts';
import { type Language, languages } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { phoneTopics, type SmsTopic } from '../message-kinds.ts';
import { messageTextsIn, type OwnTexts } from './message-look.ts';
import { fillIn } from './message-texts.ts';

const gsm7 = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
const segment = { gsm7: 160, ucs2: 70 } as const;

type SmsValues = {
  readonly brand: string;
  readonly host: string;
  readonly code: string;
  readonly minutes: number;
};

/** Falls back to English if the text does not fit one segment with this brand and host. */
export function writeSms(language: Language, values: SmsValues, own: OwnTexts = {}): string {
  const text = compose(language, values, own);
  return fitsOneSegment(text) ? text : compose('en', values, own);
}

/** The last line counts towards the segment. It is not translated. */
function compose(language: Language, { brand, host, code, minutes }: SmsValues, own: OwnTexts): string {
  const text = fillIn(language, messageTextsIn(language, own).sms.code, { brand, code, minutes });
  return text + writeOriginLine(host, code);
}

/** WICG origin-bound one-time codes: browsers fill in the code only on this host. */
export function writeOriginLine(host: string, code: string): string {
  return `\n\n@${host} #${code}`;
}

/** Falls back to English, and then to a text without the link, if the text does not fit one segment. */
export function writeNoticeSms(
  language: Language,
  topic: SmsTopic,
  { brand, url }: { brand: string; url: string },
  own: OwnTexts = {},
) {
  const inLanguage = (wanted: Language) =>
    fillIn(wanted, messageTextsIn(wanted, own).sms.notice[topic], { brand, url });
  const texts = [inLanguage(language), inLanguage('en')];
  const { noticeWithoutLink, phoneNoticeWithoutLink } = textsIn('en').sms;
  const isOfPhone = findWord(phoneTopics, topic) !== undefined;
  return texts.find(fitsOneSegment) ?? fillIn('en', isOfPhone ? phoneNoticeWithoutLink : noticeWithoutLink, { brand });
}

export function fitsOneSegment(text: string): boolean {
  return measureSms(text).segments === 1;
}

export type SmsLength = {
  readonly characters: number;
  /** How many characters fit one segment. */
  readonly longest: number;
  readonly segments: number;
  /** A character that makes all characters count more. Undefined if the text needs only the basic alphabet. */
  readonly foreign: string | undefined;
};

/** In several segments, each has a little less room: its number is sent too. */
export function measureSms(text: string): SmsLength {
  const foreign = gsm7.test(text) ? undefined : [...text].find((character) => !gsm7.test(character));
  const [longest, inSeveral] = foreign === undefined ? [segment.gsm7, 153] : [segment.ucs2, 67];
  const segments = text.length <= longest ? 1 : Math.ceil(text.length / inSeveral);
  return { characters: text.length, longest, segments, foreign };
}

/** Runs at start. `isFit`: the English text fits with this brand and host. `fallbacks`: the languages that fall back to English. */
export function checkSmsTexts(
  brand: string,
  host: string,
  own: OwnTexts = {},
): { isFit: boolean; fallbacks: Language[] } {
  const values = { brand, host, code: '000000', minutes: 60 };
  return {
    isFit: fitsOneSegment(compose('en', values, own)),
    fallbacks: languages.filter((language) => !fitsOneSegment(compose(language, values, own))),
  };
}
