// Phone numbers: one canonical form (E.164 with plus) for every spelling, and only kinds that can receive a text.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Failure } from '../kernel/failure.ts';
import { ordinaryTypes, type PhoneType } from '../kernel/phone-types.ts';

export type PhoneNumber = string & { readonly __brand: 'PhoneNumber' };

export type ParsedPhone = { readonly phone: PhoneNumber; readonly country: string };

/** Not in here, and never served: numbers that their owner is paid for, or that take no messages (premium, shared cost, toll free). */
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

/** Spaces, dashes, dots, brackets and the direction marks of pasted numbers are removed; letters, extensions and other scripts' digits are refused. */
export function parsePhoneNumber(
  text: string,
  served: readonly PhoneType[] = ordinaryTypes,
  isTestRecipient: (phone: string) => boolean = () => false,
): ParsedPhone {
  const plain = text.trim().replaceAll(/[\s\-.()[\]\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  if (!/^\+\d{4,18}$/.test(plain)) throw new Failure('PHONE_INVALID');
  if (isTestRecipient(plain)) return { phone: plain as PhoneNumber, country: 'ZZ' };
  const number = parsePhoneNumberFromString(plain);
  // A kind is found by the patterns that make a number valid; where a country has none of them, it has one for all numbers.
  const kind = number?.getType();
  if (number === undefined || (kind === undefined && !number.isValid())) throw new Failure('PHONE_INVALID');
  const type = kind === undefined ? 'unknown' : typesByKind[kind];
  const isServed = type !== undefined && served.includes(number.isNonGeographic() ? 'satellite' : type);
  if (!isServed) throw new Failure('PHONE_NOT_SUPPORTED');
  return { phone: number.number as string as PhoneNumber, country: number.country ?? `+${number.countryCallingCode}` };
}
