// Every message of the service with sample values, as the preview of a brand shows it.
import { type Language, languages } from '../kernel/text/language.ts';
import { mailTopics } from '../messages/message-kinds.ts';
import {
  type Mail,
  writeBindingMail,
  writeLoginLinkMail,
  writeNoticeMail,
  writeProofMail,
  writeReplacedMail,
} from '../messages/texts/mail-text.ts';
import { measureSms, type SmsLength, writeSms } from '../messages/texts/sms-text.ts';
import { type Brand, lookOf } from './brand.ts';
import { noticeLinkTail } from './own-texts.ts';

/** The names of the texts in the file. */
export const mailNames: readonly string[] = [
  'loginLink',
  'bindingOtp',
  'proofOtp',
  'emailReplaced',
  ...mailTopics.map((topic) => `notice.${topic}`),
];

const code = '012345';
const token = 'x'.repeat(43);
/** A fixed day: the preview shows the same mail whenever it is opened. */
const sampleTime = Date.UTC(2027, 0, 15, 9, 30);

/** Undefined if there is no such mail. */
export function writeSampleMail(brand: Brand, name: string, language: Language, publicUrl: string): Mail | undefined {
  const look = lookOf(brand);
  const values = { brand: brand.name, code, minutes: 10 };
  if (name === 'loginLink') return writeLoginLinkMail(language, values, `${publicUrl}/login/link#${token}`, look);
  if (name === 'bindingOtp') return writeBindingMail(language, values, look);
  if (name === 'proofOtp') return writeProofMail(language, values, look);
  if (name === 'emailReplaced') return writeReplacedMail(language, values, look);
  const topic = mailTopics.find((each) => `notice.${each}` === name);
  if (topic === undefined) return undefined;
  const about = { brand: brand.name, account: '+44•••01', number: '+44•••02', device: '', at: sampleTime };
  return writeNoticeMail(language, topic, about, `${publicUrl}${noticeLinkTail}`, look);
}

export type SampleSms = SmsLength & {
  readonly language: Language;
  readonly text: string;
};

/** The SMS with a code in every language, as it is sent. */
export function writeSampleSms(brand: Brand, publicUrl: string): readonly SampleSms[] {
  const values = { brand: brand.name, host: new URL(publicUrl).hostname, code, minutes: 5 };
  return languages.map((language) => {
    const text = writeSms(language, values, brand.texts);
    return { language, text, ...measureSms(text) };
  });
}
