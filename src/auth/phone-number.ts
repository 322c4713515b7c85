// Phone numbers: parses every spelling into E.164 and accepts only types that can receive an SMS.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Failure } from '../kernel/failure.ts';
import { ordinaryTypes, type PhoneType } from '../kernel/phone-types.ts';

export type PhoneNumber = string & { readonly __brand: 'PhoneNumber' };

export type ParsedPhone = { readonly phone: PhoneNumber; readonly country: string };

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

/** Removes spaces, dashes, dots, brackets and direction marks. Refuses letters, extensions and digits of other scripts. */
export function parsePhoneNumber(
  text: string,
  served: readonly PhoneType[] = ordinaryTypes,
  isTestRecipient: (phone: string) => boolean = () => false,
): ParsedPhone {
  const plain = text.replaceAll(/[\s\-.()[\]\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  if (!/^\+\d{4,18}$/.test(plain)) throw new Failure('PHONE_INVALID');
  if (isTestRecipient(plain)) return { phone: plain as PhoneNumber, country: 'ZZ' };
  const number = parsePhoneNumberFromString(plain);
  // A number with a type matches a pattern, so it is valid. Countries without patterns per type have one general pattern.
  const kind = number?.getType();
  if (number === undefined || (kind === undefined && !number.isValid())) throw new Failure('PHONE_INVALID');
  const type = kind === undefined ? 'unknown' : typesByKind[kind];
  const isServed = type !== undefined && served.includes(number.isNonGeographic() ? 'satellite' : type);
  if (!isServed) throw new Failure('PHONE_NOT_SUPPORTED');
  return { phone: number.number as string as PhoneNumber, country: number.country ?? `+${number.countryCallingCode}` };
}
