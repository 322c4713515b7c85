// Types of phone numbers: the mobile numbers of every country are accepted, and types used for SMS pumping are refused unless a setting allows them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { parsePhoneNumber } from '../../../src/auth/identity/phone-number.ts';
import { writeProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { PhoneNumber } from '../../../src/kernel/recipient.ts';
import { ordinaryTypes, type PhoneType, phoneTypes } from '../../../src/kernel/text/phone-types.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const numbers: Readonly<Record<string, readonly string[]>> = {
  mobile: ['+4915112345678', '+447911123456', '+919876543210', '+8613812345678'],
  'fixed-or-mobile': ['+12025550123', '+525512345678'],
  fixed: ['+493012345678', '+390612345678', '+4932123456789'],
  voip: ['+445612345678'],
  satellite: [
    '+870773111632',
    '+881612345678',
    '+8821612345678',
    '+883510012345',
    '+878101234567890',
    '+88812345678901',
  ],
  personal: ['+447012345678', '+41878123456', '+15002345678'],
  pager: ['+447640123456'],
  voicemail: ['+41860123456789', '+3538551234567'],
  uan: ['+443001234567', '+445512345678'],
};

const answer = (phone: string, served?: readonly PhoneType[]) => {
  try {
    return parsePhoneNumber(phone, served).phone;
  } catch (error) {
    return error instanceof Failure ? error.code : assert.fail(String(error));
  }
};

describe('types of phone numbers', () => {
  it('mobile numbers of every country are accepted, and all ordinary types', () => {
    const countries = getCountries();
    assert.ok(countries.length > 240);
    for (const country of countries) {
      const phone = getExampleNumber(country, examples)?.number ?? assert.fail(country);
      assert.equal(answer(phone, ['mobile', 'fixed-or-mobile']), phone, country);
    }
    for (const type of ordinaryTypes) for (const phone of numbers[type] ?? []) assert.equal(answer(phone), phone, type);
  });

  it('expensive types of phone numbers are refused by default', () => {
    for (const type of phoneTypes.filter((name) => !ordinaryTypes.includes(name)))
      for (const phone of numbers[type] ?? []) assert.equal(answer(phone), 'PHONE_NOT_SUPPORTED', `${type} ${phone}`);
  });

  it('the setting allows and refuses each type of phone number by its name', () => {
    for (const [type, list] of Object.entries(numbers)) {
      const others = phoneTypes.filter((name) => name !== type);
      for (const phone of list) {
        assert.equal(answer(phone, [type as PhoneType]), phone, `${type} ${phone}`);
        assert.equal(answer(phone, others), 'PHONE_NOT_SUPPORTED', `${type} ${phone}`);
      }
    }
  });

  it('premium-rate, toll-free and shared-cost numbers are never accepted', () => {
    for (const phone of [
      '+19002345678',
      '+18002345678',
      '+33884012345',
      '+979123456789',
      '+80012345678',
      '+80812345678',
    ])
      assert.equal(answer(phone, phoneTypes), 'PHONE_NOT_SUPPORTED', phone);
    assert.equal(answer('+15550100001', phoneTypes), 'PHONE_INVALID');
  });
});

describe('the text of a phone number', () => {
  const spellings: [what: string, text: string, phone: string, country: string][] = [
    ['as it is', '+4915112345678', '+4915112345678', 'DE'],
    ['with blanks, dashes, dots and brackets', ' +49 (151) 12-34.56 [78]\t', '+4915112345678', 'DE'],
    ['with direction marks', '\u202a+49\u200e151\u200f12345678\u202c\u2066\u2069\u202e', '+4915112345678', 'DE'],
    ['with a trunk zero', '+49 0151 12345678', '+4915112345678', 'DE'],
    ['of a country that shares its code', '+447400123456', '+447400123456', 'GB'],
    ['of an island that shares its code', '+447781123456', '+447781123456', 'GG'],
  ];
  for (const [what, text, phone, country] of spellings) {
    it(`a phone number ${what} is read as ${phone} in ${country}`, () => {
      assert.deepEqual(parsePhoneNumber(text), { phone, country });
    });
  }

  it('a phone number that belongs to no country is named by its calling code', () => {
    assert.deepEqual(parsePhoneNumber('+870773111632', ['satellite']), { phone: '+870773111632', country: '+870' });
  });

  it('a text that only ends like the number of a test recipient is refused', () => {
    assert.throws(() => parsePhoneNumber('x+4915112345678', ordinaryTypes, () => true), { code: 'PHONE_INVALID' });
  });

  const refused = [
    '',
    '+',
    '4915112345678',
    '004915112345678',
    '+49151x12345678',
    '+4915112345678;ext=5',
    '+4915112345678,5',
    '++4915112345678',
    '+49+15112345678',
    '+٤٩١٥١١٢٣٤٥٦٧٨',
    '+491',
    '+1234567890123456789',
    '+999123456789',
    '+4915',
    'tel:+4915112345678',
    '+1202555',
    '+1202555012a',
    '+12025550123;ext=1',
    '+1202555012345678901234',
    '+１２０２５５５０１２３',
    'null',
    '+4915112345678\0',
  ];
  for (const text of refused) {
    it(`the text ${JSON.stringify(text)} is no phone number`, () => assert.equal(answer(text), 'PHONE_INVALID'));
  }

  it('a test number of four to eighteen digits is accepted as it is, whatever types are served', () => {
    const isTest = (phone: string) => ['+1234', `+${'1'.repeat(18)}`].includes(phone);
    assert.deepEqual(parsePhoneNumber('+12 34', [], isTest), { phone: '+1234', country: 'ZZ' });
    assert.deepEqual(parsePhoneNumber(`+${'1'.repeat(18)}`, [], isTest).country, 'ZZ');
    for (const text of ['+123', `+${'1'.repeat(19)}`, '+1235'])
      assert.throws(() => parsePhoneNumber(text, [], () => text === '+123' || text.length > 19), {
        code: 'PHONE_INVALID',
      });
  });
});

/** None of these calls compiles, and the check of types says so if one does. They are never made. */
function notCompiling(ports: Pick<AuthDeps, 'secrets'>, email: string, phone: PhoneNumber): void {
  const ticket = { userId: asUserId('ann'), lastUse: 0 };
  writeProofTicket(ports.secrets, { ...ticket, phone }, 0);
  // @ts-expect-error an address, or a text that no parser has seen, is no number
  writeProofTicket(ports.secrets, { ...ticket, phone: email }, 0);
}

describe('a number as a type', () => {
  it('a text that was not parsed does not compile where a number is wanted', () =>
    assert.equal(typeof notCompiling, 'function'));
});
