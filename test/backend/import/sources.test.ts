// The readers of every format, on files in the exact form of each export: which field becomes what. The forms were compared with
// the documentation of Auth0, Cognito and Supabase and with the sources of the Firebase command line on 2026-11-18.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parsePhoneNumber } from '../../../src/auth/identity/phone-number.ts';
import { type Drafted, draftUser } from '../../../src/backend/import/draft-user.ts';
import { type SourceName, sources } from '../../../src/backend/import/sources.ts';
import { noImportedFields } from '../../../src/backend/import-user.ts';
import { asRecord } from '../../../src/kernel/text/as-record.ts';

const folder = new URL('../../fixtures/import/', import.meta.url);
const now = Date.UTC(2026, 0, 1);
const born = Date.UTC(2020, 0, 1);
const seen = Date.UTC(2024, 7, 1, 8);

function readAll(name: SourceName, file: string): Drafted[] {
  const text = readFileSync(new URL(file, folder), 'utf8').replace(/^\ufeff/, '');
  const splitter = sources[name].split(text.trimStart());
  return [...splitter.push(text), ...splitter.end()].map((entry) => {
    assert.ok('value' in entry, JSON.stringify(entry));
    const readPhone = (phone: string) => parsePhoneNumber(phone).phone;
    return draftUser(sources[name].read(asRecord(entry.value)), { readPhone, now });
  });
}

type Expected = {
  readonly ids: readonly [string, string];
  readonly claims?: string;
  readonly publicMetadata: string;
  readonly privateMetadata?: string;
  readonly seenAt?: number;
  readonly createdAt?: number;
  /** The time of the import, where the file has none. */
  readonly benBlockedAt?: number | null;
  readonly cem: string;
};

const noMail = 'no way in: the e-mail address is not verified';
const noNumber = 'no way in: the phone number is not verified';
const gold = '{"plan":"gold","seats":3}';
const ofSupabase: Expected = {
  ids: ['6f1c2d3e-0001-4a5b-8c7d-000000000001', '6f1c2d3e-0001-4a5b-8c7d-000000000002'],
  claims: gold,
  publicMetadata: '{"name":"Ann"}',
  cem: noNumber,
};
const ofAuth0: Expected = {
  ids: ['auth0|5f7c8ec7c33c6c004bbafe81', 'sms|5f7c8ec7c33c6c004bbafe82'],
  publicMetadata: '{"name":"Ann","theme":"dark"}',
  privateMetadata: '{"plan":"gold"}',
  cem: noMail,
};
const own: Expected = {
  ids: ['1', '2'],
  claims: gold,
  publicMetadata: '{"name":"Ann"}',
  privateMetadata: '{"note":"vip"}',
  cem: noMail,
};
const photo = '"photoUrl":"https://example.com/ann.png"';
const firebaseIds = ['hJ3vX8kQm2ZpYtR5aBcD7eFgH1i2', 'kL9'] as const;

const cases: readonly (readonly [SourceName, string, Expected])[] = [
  ['csv', 'users.csv', own],
  ['jsonl', 'users.jsonl', { ...own, benBlockedAt: Date.UTC(2020, 1, 1) }],
  [
    'firebase',
    'firebase.json',
    { ids: firebaseIds, claims: gold, publicMetadata: `{"displayName":"Ann \\"{[\\" O'Hara",${photo}}`, cem: noMail },
  ],
  [
    'firebase',
    'firebase.csv',
    { ids: firebaseIds, claims: gold, publicMetadata: `{"displayName":"O'Hara, Ann",${photo}}`, cem: noMail },
  ],
  ['supabase', 'supabase.csv', ofSupabase],
  ['supabase', 'supabase.json', ofSupabase],
  [
    'cognito',
    'cognito.json',
    {
      ids: ['a1b2c3d4-0001-4e5f-8a9b-000000000001', 'a1b2c3d4-0001-4e5f-8a9b-000000000002'],
      publicMetadata: '{"name":"Ann"}',
      privateMetadata: '{"custom:plan":"gold"}',
      seenAt: now,
      cem: noNumber,
    },
  ],
  [
    'cognito',
    'cognito.csv',
    {
      ids: ['ann', 'ben'],
      publicMetadata: '{"name":"Ann"}',
      // Its import files have a backslash before a comma.
      privateMetadata: '{"custom:plan":"gold, silver"}',
      seenAt: now,
      createdAt: now,
      benBlockedAt: null,
      cem: noNumber,
    },
  ],
  ['auth0', 'auth0.ndjson', ofAuth0],
  ['auth0', 'auth0.csv', ofAuth0],
];

describe('the readers of exports', () => {
  for (const [name, file, expected] of cases) {
    it(`${name} reads ${file}: a user with all fields, one that is blocked, and one without a way in`, () => {
      const [ann, ben, cem, ...others] = readAll(name, file);
      assert.deepEqual(others, []);
      assert.ok(ann?.kind === 'draft' && ben?.kind === 'draft');
      const { id: _, ...fields } = ann.draft;
      assert.deepEqual(fields, {
        ...noImportedFields,
        externalId: expected.ids[0],
        phone: '+12025550123',
        email: 'Ann@example.com',
        emailKey: 'ann@example.com',
        claims: expected.claims ?? null,
        'metadata.public': expected.publicMetadata,
        'metadata.private': expected.privateMetadata ?? null,
        createdAt: expected.createdAt ?? born,
        seenAt: expected.seenAt ?? seen,
        blockedAt: null,
      });
      assert.deepEqual(ann.leftOut, []);
      const { draft } = ben;
      assert.deepEqual(
        [draft.externalId, draft.phone, draft.email, draft.blockedAt, draft.createdAt],
        [
          expected.ids[1],
          '+4915123456789',
          null,
          expected.benBlockedAt === undefined ? now : expected.benBlockedAt,
          expected.createdAt ?? born + 1000,
        ],
      );
      assert.deepEqual(ben.leftOut, ['the e-mail address is not verified']);
      assert.deepEqual(cem, { kind: 'refused', reason: expected.cem });
    });
  }

  for (const file of ['auth0-dashboard.csv', 'auth0-dashboard.ndjson'])
    it(`auth0 reads ${file}: the names of its dashboard, CRLF and line breaks in texts`, () => {
      const [ann, cem, ...others] = readAll('auth0', file);
      assert.deepEqual(others, []);
      assert.ok(ann?.kind === 'draft' && cem?.kind === 'draft');
      const { draft } = ann;
      const texts = [draft.externalId, draft.phone, draft.email, draft.createdAt, ann.leftOut];
      assert.deepEqual(texts, ['auth0|5f7c8ec7c33c6c004bbafe81', '+12025550123', 'Ann@example.com', born, []]);
      assert.deepEqual(JSON.parse(draft['metadata.public'] ?? ''), {
        name: 'Ann "the\r\nboss", O\'Hara',
        given_name: 'Ann',
        family_name: "O'Hara",
        nickname: "'t Hooft",
        picture: 'https://example.com/ann.png',
      });
      const only = [cem.draft.externalId, cem.draft.phone, cem.draft.email, cem.leftOut];
      assert.deepEqual(only, ['auth0|5f7c8ec7c33c6c004bbafe83', null, 'cem@example.com', []]);
    });

  it('firebase refuses the halves of a record that a line break in a name has cut', () => {
    const whole = readFileSync(new URL('firebase.csv', folder), 'utf8').split('\r\n')[0] ?? '';
    const splitter = sources.firebase.split(whole);
    const text = `${whole.replace('"O\'Hara, Ann"', "O'Hara\r\nAnn")}\r\n${whole}\r\n`;
    const entries = [...splitter.push(text), ...splitter.end()];
    assert.deepEqual(
      entries.map((entry) => ('problem' in entry ? [entry.line, entry.problem] : entry.line)),
      [[1, 'the line has 6 fields instead of 28'], [2, 'the line has 24 fields instead of 28'], 3],
    );
  });

  it('a numeric id that JavaScript rounds is refused, so that two users do not become one', () => {
    const splitter = sources.jsonl.split('{');
    const entries = splitter.push('{"externalId":9007199254740993}\n{"externalId":9007199254740991}\n');
    const values = entries.map((entry) => ('value' in entry ? (entry.value as Record<string, unknown>) : {}));
    assert.deepEqual(
      values.map((value) => sources.jsonl.read(value).isIdRounded),
      [true, false],
    );
  });

  it('a ban of Supabase without a readable end does not end', () => {
    const isBlocked = (ban: unknown) => sources.supabase.read({ banned_until: ban }).isBlocked;
    assert.deepEqual(['infinity', 'Infinity', '10000-01-01 00:00:00+00'].map(isBlocked), [true, true, true]);
    assert.deepEqual(
      [undefined, null, '', 'null', '-infinity', '2024-01-31 08:15:00+00'].map(isBlocked),
      Array(6).fill(false),
    );
  });

  it('a block keeps its time, and one whose time cannot be read is a block too', () => {
    for (const name of ['csv', 'jsonl'] as const) {
      const read = (fields: Record<string, unknown>) => {
        const { isBlocked, blockedAt } = sources[name].read(fields);
        return [isBlocked, blockedAt];
      };
      assert.deepEqual(read({ blockedAt: '2020-02-01T00:00:00Z' }), [true, Date.UTC(2020, 1, 1)]);
      assert.deepEqual(read({ blocked: 'yes' }), [true, undefined]);
      assert.deepEqual(read({ blockedAt: 'last week' }), [true, undefined]);
      for (const none of [undefined, null, '', ' ', false, 'no'])
        assert.deepEqual(read({ blockedAt: none }), [false, undefined]);
    }
  });

  it('a number counts as verified if the file does not say, or says so clearly', () => {
    for (const name of ['csv', 'jsonl'] as const) {
      const isVerified = (word: unknown) => sources[name].read({ phoneVerified: word }).isPhoneVerified;
      assert.deepEqual([undefined, null, '', ' ', true, 'TRUE', 'y'].map(isVerified), Array(7).fill(true), name);
      assert.deepEqual([false, 0, 'no', 'N', 'off', 'unverified', '-'].map(isVerified), Array(7).fill(false), name);
    }
  });

  it('csv reads columns as a spreadsheet names them', () => {
    const text = 'Phone;E-Mail;email_verified;External ID;Notes\r\n+1 202 555 0123;ann@example.com;TRUE;7;vip\r\n';
    const splitter = sources.csv.split(text);
    const [entry] = [...splitter.push(text), ...splitter.end()];
    assert.ok(entry !== undefined && 'value' in entry);
    const { phone, email, isEmailVerified, externalId } = sources.csv.read(asRecord(entry.value));
    assert.deepEqual(
      { phone, email, isEmailVerified, externalId },
      { phone: '+1 202 555 0123', email: 'ann@example.com', isEmailVerified: true, externalId: '7' },
    );
  });
});
