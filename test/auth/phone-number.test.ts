// Types of phone numbers: the mobile numbers of every country are accepted, and types used for SMS pumping are refused unless a setting allows them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { parsePhoneNumber } from '../../src/auth/phone-number.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { ordinaryTypes, type PhoneType, phoneTypes } from '../../src/kernel/phone-types.ts';

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
  voicemail: ['+41860123456789'],
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
