// Values that break parsers: JSON texts, headers, queries and names.
import type { Chance } from './chance.ts';

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** JSON texts that no field of the interface accepts. */
const jsonTexts: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1e309',
  '-1e309',
  '1e-400',
  '9007199254740993',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(400)}`,
  '[]',
  '{}',
  '[null]',
  '["+12025550123"]',
  '{"value":"+12025550123"}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"valueOf":2,"length":-1}',
  '{"$ne":null}',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ud83d"',
  '"\\ufffe\\uffff"',
  '"\\u202e\\u2066"',
  '"\\u0130\\u0131\\u017f\\u212a"',
  '"e\\u0301\\u0301\\u0301"',
  '"\\r\\nBcc: other@example.com"',
  '"\\u001b[2J"',
  `"'; drop table users; --"`,
  '"#{7*7}{{7*7}}%s%n%x"',
  '"../../../../etc/passwd"',
  '"<script>alert(1)</script>"',
  nested(31, '[', ']'),
  nested(33, '[', ']'),
  nested(2000, '[', ']'),
  `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  `[${'0,'.repeat(3000)}0]`,
];

const letters = 'aZ09+-_.@%\'"\\/<>()[]{};:,= \t#?&*~!$^|`';

export function oddText(chance: Chance, most = 300): string {
  return Array.from({ length: chance.below(most) }, () => letters[chance.below(letters.length)]).join('');
}

/** A replacement for the value of a field. Lengths are near the bounds of the schema. */
export function oddJson(chance: Chance, schema: Readonly<Record<string, unknown>>): string {
  if (chance.happens(0.3)) return JSON.stringify(sized(chance, schema));
  if (chance.happens(0.2)) return JSON.stringify(oddText(chance));
  return chance.pick(jsonTexts);
}

function sized(chance: Chance, { minLength = 0, maxLength = 64 }: { minLength?: number; maxLength?: number }): string {
  const length = chance.pick([minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1, 10 * maxLength]);
  const letter = chance.pick(['a', '1', '+', ' ', 'é', '💥', '\u0301', '٣']);
  return letter.repeat(Math.max(0, length));
}

/** Bytes that a header value may contain, as latin1. */
export function oddHeaderText(chance: Chance): string {
  return chance.pick([
    () => '',
    () => ' ',
    () => '\t\t',
    () => oddText(chance, 200),
    () =>
      chance
        .bytes(1 + chance.below(60))
        .toString('latin1')
        .replaceAll(/[\0-\x08\x0a-\x1f\x7f]/g, '\t'),
    () => 'é'.repeat(1 + chance.below(100)),
    () => 'x'.repeat(chance.pick([255, 256, 1000, 4095, 4096, 4097, 8000])),
    () => '0',
    () => '-1',
    () => '999999999999999999999999',
    () => 'null',
    () => 'undefined, undefined',
    () => '*',
    () => '%0d%0aX-Evil: 1',
    () => ','.repeat(500),
    () => ';q=0.5'.repeat(200),
    () => `"${'\\'.repeat(301)}`,
    () => '=?utf-8?q?x?=',
    () => '__proto__',
  ])();
}

/** A path segment or a query value of a target, already escaped. */
export function oddPiece(chance: Chance): string {
  return chance.pick([
    () => '',
    () => '%00',
    () => '%',
    () => '%zz',
    () => '%ff%fe',
    () => '%ED%A0%80',
    () => '%C0%AF',
    () => '%2e%2e%2f',
    () => '..',
    () => '.',
    () => ';x=1',
    () => '%0d%0aX-Evil:%201',
    () => '%F0%9F%92%A5',
    () => '%20',
    () => '+',
    () => '*',
    () => '%7B%22a%22%3A1%7D',
    () => "'%20or%201=1--",
    () => '0',
    () => '-1',
    () => '1e3',
    () => '0x10',
    () => '99999',
    () => '1.5',
    () => 'NaN',
    () => 'x'.repeat(chance.pick([64, 65, 129, 1025, 4000])),
    () => encodeURIComponent(oddText(chance, 80)),
    () => chance.bytes(1 + chance.below(20)).toString('base64url'),
  ])();
}
