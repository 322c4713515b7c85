// E-mail addresses: which texts are accepted, and which of them are the same address.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseEmailAddress } from '../../../src/auth/identity/email-address.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { thrownCode } from '../../helpers/people/auth-fakes.ts';

const label63 = 'a'.repeat(63);
const longest = `${'a'.repeat(254 - 1 - 247)}@${Array(4).fill('b'.repeat(61)).join('.')}`;

describe('an e-mail address', () => {
  const accepted: [text: string, address: string, key: string][] = [
    ['ann@example.com', 'ann@example.com', 'ann@example.com'],
    ['Ann.Smith+Tag@Example.COM', 'Ann.Smith+Tag@Example.COM', 'ann.smith+tag@example.com'],
    [' \t ann@example.com \n', 'ann@example.com', 'ann@example.com'],
    ["o'brien_99@xn--bcher-kva.example", "o'brien_99@xn--bcher-kva.example", "o'brien_99@xn--bcher-kva.example"],
    ["!#$%&'*+/=?^_`{|}~-.@a.b", "!#$%&'*+/=?^_`{|}~-.@a.b", "!#$%&'*+/=?^_`{|}~-.@a.b"],
    [`a@${label63}.${label63}`, `a@${label63}.${label63}`, `a@${label63}.${label63}`],
    ['a@1.2-3.c4', 'a@1.2-3.c4', 'a@1.2-3.c4'],
    ['\u212aate@example.com'.normalize('NFC'), 'Kate@example.com', 'kate@example.com'],
    ['\u212aate@example.com', 'Kate@example.com', 'kate@example.com'],
    [longest, longest, longest],
  ];
  for (const [text, address, key] of accepted) {
    it(`the e-mail address ${JSON.stringify(text.slice(0, 40))} is accepted`, () => {
      assert.deepEqual(parseEmailAddress(text), { address, key });
    });
  }

  const refused = [
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@example',
    'ann@example.',
    'ann@.com',
    'ann@example..com',
    'ann@-example.com',
    'ann@example-.com',
    'ann@example.-com',
    'ann@example.com-',
    `ann@${label63}a.com`,
    `ann@com.${label63}a`,
    'ann@bob@example.com',
    'an n@example.com',
    'ann@exa mple.com',
    'ann@example.com\nbcc: bob@example.com',
    '"ann"@example.com',
    'ann(comment)@example.com',
    'Ann <ann@example.com>',
    'ann@example.com, bob@example.com',
    'änn@example.com',
    'ann@exämple.com',
    'ann@[192.0.2.1]',
    'ann@example_.com',
    'ann@@example.com',
    '"ann@evil.example"@example.com',
    'x:ann@example.com;',
    'ann＠example.com',
    'a\u017f@example.com',
    `a${longest}`,
  ];
  for (const text of refused) {
    it(`the text ${JSON.stringify(text.slice(0, 40))} is refused as an e-mail address`, () => {
      assert.equal(
        thrownCode(() => parseEmailAddress(text)),
        'EMAIL_INVALID',
      );
    });
  }

  it('any valid e-mail address in any case has one key, which parses to itself', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/);
    fc.assert(
      fc.property(part, part, part, (name, host, top) => {
        const text = `${name}@${host}.${top}`;
        const { address, key } = parseEmailAddress(text);
        assert.equal(address, text);
        assert.equal(parseEmailAddress(text.toUpperCase()).key, key);
        assert.deepEqual(parseEmailAddress(key), { address: key, key });
      }),
      { numRuns: rounds(100), seed },
    );
  });
});
