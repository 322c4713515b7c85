// Phone numbers: parses every spelling into E.164 and accepts only types that can receive an SMS.

import { Failure } from '../../kernel/failure.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { ordinaryTypes, type PhoneType } from '../../kernel/text/phone-types.ts';
import { createNumberReader } from './numbering-plan.ts';

type ParsedPhone = { readonly phone: PhoneNumber; readonly country: string };

/** Other types are never served (premium, shared cost, toll free): their owner earns money per message, or they receive none. */
const typesByKind: Readonly<Record<string, PhoneType>> = {
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'fixed-or-mobile',
  FIXED_LINE: 'fixed',
  VOIP: 'voip',
  PERSONAL_NUMBER: 'personal',
  PAGER: 'pager',
  VOICEMAIL: 'voicemail',
  UAN: 'uan',
};

const readNumber = createNumberReader();

/** Removes spaces, dashes, dots, brackets and direction marks. Refuses letters, extensions and digits of other scripts. */
export function parsePhoneNumber(
  text: string,
  served: readonly PhoneType[] = ordinaryTypes,
  isTestRecipient: (phone: string) => boolean = () => false,
): ParsedPhone {
  const plain = text.replaceAll(/[\s\-.()[\]\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  if (!isFullNumber(plain)) throw new Failure('PHONE_INVALID');
  if (isTestRecipient(plain)) return { phone: plain as PhoneNumber, country: 'ZZ' };
  const read = readNumber(plain);
  if (read === undefined) throw new Failure('PHONE_INVALID');
  const { number, country, callingCode, isNonGeographic, kind } = read;
  const type = kind === undefined ? 'unknown' : typesByKind[kind];
  const isServed = type !== undefined && served.includes(isNonGeographic ? 'satellite' : type);
  if (!isServed) throw new Failure('PHONE_NOT_SUPPORTED');
  return { phone: number as PhoneNumber, country: country ?? `+${callingCode}` };
}

/** Whether it has the form of a number as it is stored, of any country and any plan. Test numbers are in none. */
export function isFullNumber(text: string): text is PhoneNumber {
  return /^\+\d{4,18}$/.test(text);
}
