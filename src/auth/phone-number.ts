// Phone numbers: one canonical form (E.164 with plus) for every spelling, and only kinds that can receive a text.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Failure } from '../kernel/failure.ts';

export type PhoneNumber = string & { readonly __brand: 'PhoneNumber' };

export type ParsedPhone = { readonly phone: PhoneNumber; readonly country: string };

const refusedKinds = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'PAGER', 'VOICEMAIL']);

/** Spaces, dashes, dots, brackets and the direction marks of pasted numbers are removed; letters, extensions and other scripts' digits are refused. */
export function parsePhoneNumber(text: string, isTestRecipient: (phone: string) => boolean = () => false): ParsedPhone {
  const plain = text.trim().replaceAll(/[\s\-.()[\]\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  if (!/^\+\d{4,18}$/.test(plain)) throw new Failure('PHONE_INVALID');
  if (isTestRecipient(plain)) return { phone: plain as PhoneNumber, country: 'ZZ' };
  const number = parsePhoneNumberFromString(plain);
  // A kind is found by the patterns that make a number valid; where a country has none of them, it has one for all numbers.
  const kind = number?.getType();
  if (number === undefined || (kind === undefined && !number.isValid())) throw new Failure('PHONE_INVALID');
  if (kind !== undefined && refusedKinds.has(kind)) throw new Failure('PHONE_NOT_SUPPORTED');
  return { phone: number.number as string as PhoneNumber, country: number.country ?? `+${number.countryCallingCode}` };
}
