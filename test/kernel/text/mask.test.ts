// Masks of phone numbers, e-mail addresses and IP addresses: what stays visible, and that the rest never does.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { maskDetail, maskEmail, maskNetworkAddress, maskPhone } from '../../../src/kernel/text/mask.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { asEmail, asPhone } from '../../helpers/people/ids.ts';

describe('a masked phone number', () => {
  for (const [phone, masked] of [
    ['+12025550123', '+12•••23'],
    ['+4915112345678', '+49•••78'],
    ['+1234567', '+12•••67'],
    ['+123456', '+•••'],
    ['', '+•••'],
  ] as const) {
    it(`${phone} is shown as ${masked}`, () => assert.equal(maskPhone(asPhone(phone)), masked));
  }

  it('a masked phone number never shows more than four of its digits', () => {
    const digits = fc.integer({ min: 1000, max: 999_999_999_999_999 }).map((number) => `+${number}`);
    const property = fc.property(digits, (phone) => {
      assert.ok(maskPhone(asPhone(phone)).replaceAll(/\D/g, '').length <= 4);
    });
    fc.assert(property, { seed, numRuns: 100 });
  });
});

describe('a masked e-mail address', () => {
  for (const [email, masked] of [
    ['ann@example.com', 'a•••@example.com'],
    ['a@example.com', 'a•••@example.com'],
    ['"a@b"@example.com', '"•••@example.com'],
    ['@example.com', '•••'],
    ['ann', '•••'],
    ['', '•••'],
  ] as const) {
    it(`${email} is shown as ${masked}`, () => assert.equal(maskEmail(asEmail(email)), masked));
  }

  it('a masked e-mail address shows one letter of the name, and does not even show its length', () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('@'));
    const property = fc.property(name, (text) => {
      assert.equal(maskEmail(asEmail(`${text}@example.com`)), `${text.slice(0, 1)}•••@example.com`);
    });
    fc.assert(property, { seed, numRuns: 100 });
  });
});

describe('a masked IP address', () => {
  for (const [address, masked] of [
    ['203.0.113.7', '203.0.•••'],
    ['2001:db8:5:6::/64', '2001:db8:•••'],
    ['2001:DB8::1', '2001:DB8:•••'],
    ['::1', '::•••'],
    ['unknown', '•••'],
    ['', '•••'],
    ['203.0', '•••'],
  ] as const) {
    it(`${address} is shown as ${masked}`, () => assert.equal(maskNetworkAddress(address), masked));
  }
});

describe('masked details of an event', () => {
  it('the fields ip and address are masked, and nothing else', () => {
    const detail = { ip: '203.0.113.7', address: '2001:db8:5:6::/64', to: '+12•••23', count: 3, isNew: true };
    assert.deepEqual(maskDetail(detail), { ...detail, ip: '203.0.•••', address: '2001:db8:•••' });
  });

  it('a number in a masked field shows nothing', () => {
    assert.deepEqual(maskDetail({ ip: 5 }), { ip: '•••' });
  });
});
