// Settings with their own syntax: test recipients, the spending brake, types of numbers and purposes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnvReader, type Env } from '../../src/config/env-reader.ts';
import { readBrake, readPhoneTypes, readPurposes, readTestRecipients } from '../../src/config/read-lists.ts';
import { builtInPurposes } from '../../src/files/purpose.ts';
import { ordinaryTypes } from '../../src/kernel/text/phone-types.ts';

const now = Date.UTC(2026, 10, 15);
const until = Date.UTC(2027, 0);

describe('the test recipients', () => {
  const read = (text: string) => {
    const reader = createEnvReader({ TEST_RECIPIENTS: text });
    const warnings: string[] = [];
    return { recipients: readTestRecipients(reader, now, warnings), warnings, isRefused: reader.problems.length > 0 };
  };

  for (const [text, expected] of [
    ['+15550100001=000000@2027-01-01', [{ recipient: '+15550100001', code: '000000', until }]],
    ['Ann@Example.com=123456@2027-01-01', [{ recipient: 'ann@example.com', code: '123456', until }]],
    [
      '+15550100001=000000@2027-01-01, a@b=111111@2027-01-01',
      [
        { recipient: '+15550100001', code: '000000', until },
        { recipient: 'a@b', code: '111111', until },
      ],
    ],
  ] as const) {
    it(`${text} are read`, () =>
      assert.deepEqual(read(text), { recipients: expected, warnings: [], isRefused: false }));
  }

  for (const text of [
    '+15550100001',
    '+15550100001=000000',
    '+15550100001=00000@2027-01-01',
    '+15550100001=0000000@2027-01-01',
    '15550100001=000000@2027-01-01',
    '+123=000000@2027-01-01',
    '+15550100001=000000@2027-02-31',
    '+15550100001=000000@2027-13-01',
    '+15550100001=000000@tomorrow',
    '+15550100001=000000@2027-01-01,nonsense',
  ]) {
    it(`${text} is refused, and none is in force`, () =>
      assert.deepEqual(read(text), { recipients: [], warnings: [], isRefused: true }));
  }

  it('one whose day has come is ignored with a warning', () => {
    assert.deepEqual(read('+15550100001=000000@2026-11-15'), {
      recipients: [],
      warnings: ['TEST_RECIPIENTS: an entry ended on 2026-11-15 and is ignored.'],
      isRefused: false,
    });
    assert.equal(read('+15550100001=000000@2026-11-16').recipients.length, 1);
  });
});

describe('the spending brake', () => {
  const read = (env: Env, isInbox = false) => {
    const reader = createEnvReader(env);
    return { ...readBrake(reader, isInbox), problems: reader.problems.map(({ name }) => name) };
  };

  it('is on by default, and off with the inbox', () => {
    assert.deepEqual(read({}), {
      countries: [],
      perDay: 5000,
      perCountryPerDay: 1000,
      perPrefix: [{ count: 30, windowSeconds: 3600 }],
      unused: { share: 0.8, least: 50 },
      problems: [],
    });
    assert.deepEqual(read({}, true), {
      countries: [],
      perDay: 0,
      perCountryPerDay: 0,
      perPrefix: [],
      unused: undefined,
      problems: [],
    });
  });

  it('can be set with the inbox, and turned off without', () => {
    assert.deepEqual([read({ SMS_DAILY_LIMIT: '7' }, true).perDay, read({ SMS_DAILY_LIMIT: 'off' }).perDay], [7, 0]);
    assert.equal(read({ SMS_UNUSED_SHARE: 'off' }).unused, undefined);
    assert.deepEqual(read({ SMS_LIMIT_PER_PREFIX: 'off' }).perPrefix, []);
  });

  for (const [text, unused] of [
    ['80%/50', { share: 0.8, least: 50 }],
    ['1%/1', { share: 0.01, least: 1 }],
    ['99%/0', { share: 0.99, least: 0 }],
    ['0%/50', undefined],
    ['100%/50', undefined],
    ['80/50', undefined],
    ['80%', undefined],
    ['80%/x', undefined],
  ] as const) {
    it(`a share of ${text} is ${unused === undefined ? 'refused' : 'read'}`, () => {
      const found = read({ SMS_UNUSED_SHARE: text });
      assert.deepEqual(found.problems, unused === undefined ? ['SMS_UNUSED_SHARE'] : []);
      if (unused !== undefined) assert.deepEqual(found.unused, unused);
    });
  }

  for (const [text, countries] of [
    ['all', []],
    ['DE', ['DE']],
    ['de, fr US', ['DE', 'FR', 'US']],
    ['DEU', undefined],
    ['Germany', undefined],
    ['DE,1', undefined],
  ] as const) {
    it(`the countries ${text} are ${countries?.length ?? 'refused'}`, () => {
      const found = read({ SMS_COUNTRIES: text });
      assert.deepEqual(found.problems, countries === undefined ? ['SMS_COUNTRIES'] : []);
      assert.deepEqual(found.countries, countries ?? []);
    });
  }
});

describe('the types of numbers', () => {
  for (const [text, types] of [
    ['mobile', ['mobile']],
    ['voip mobile', ['mobile', 'voip']],
    ['mobile,mobile', ['mobile']],
    ['mobile,premium', undefined],
    ['Mobile', undefined],
    [',', undefined],
  ] as const) {
    it(`${text} are ${types?.join(' and ') ?? 'refused'}`, () => {
      const reader = createEnvReader({ PHONE_TYPES: text });
      assert.deepEqual(readPhoneTypes(reader), types ?? ordinaryTypes);
      assert.equal(reader.problems.length, types === undefined ? 1 : 0);
    });
  }
});

describe('the purposes', () => {
  const read = (text: string | undefined) => {
    const readFile = () => text ?? assert.fail('missing');
    const reader = createEnvReader({ PURPOSES_FILE: '/purposes.json' }, readFile);
    return { purposes: readPurposes(reader), problems: reader.problems };
  };

  it('are built in without a file', () => assert.equal(readPurposes(createEnvReader({})), builtInPurposes));

  it('stay the built-in ones if the file is missing or invalid, with every problem', () => {
    for (const text of [undefined, '{', '[]', '[{"name":"x"}]']) {
      const { purposes, problems } = read(text);
      assert.equal(purposes, builtInPurposes);
      assert.ok(problems.length > 0 && problems.every(({ name }) => name === 'PURPOSES_FILE'), `${text}`);
    }
  });
});
