// One-time codes: when a send repeats a code, how attempts are counted before a code is compared, and how codes are derived and read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { budgetIds } from '../../../src/auth/codes/attempt-budget.ts';
import {
  type Challenge,
  type ChallengeOffer,
  type CodeAttempt,
  challengeKeptUntil,
  challengeSlot,
  codeKeys,
  deriveCode,
  judgeAttempt,
  normaliseCode,
  openChallenge,
  refuseCaller,
  refuseUntil,
} from '../../../src/auth/codes/challenge.ts';
import { hmacSha256, sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { attempt, hour, minute, noon, otpPolicy, right } from '../../helpers/store/fixtures.ts';

const policy = { ...otpPolicy, attempts: 3 };
const open: Challenge = {
  id: 'open',
  nonce: 'nonce',
  secretId: 'abcd',
  state: 'pending',
  attempts: 0,
  askerAttempts: 0,
  deviceAttempts: 0,
  openedAt: noon - minute,
  expiresAt: noon + 4 * minute,
};
const offer: ChallengeOffer = { id: 'new', nonce: 'other', secretId: 'abcd' };

describe('the ids of a challenge', () => {
  it('a challenge has one slot for each purpose, recipient and user', () => {
    assert.equal(challengeSlot('phone-login', asPhone('+49151')), `phone-login:${sha256('+49151 ')}`);
    assert.equal(
      challengeSlot('email-binding', asEmailKey('a@b.c'), asUserId('ann')),
      `email-binding:${sha256('a@b.c ann')}`,
    );
  });

  it('the failures of a recipient are counted over all its challenges', () => {
    assert.equal(budgetIds('+49151').failuresId, `failures:${sha256('+49151')}`);
  });

  it('a challenge is kept for an hour after its end', () =>
    assert.equal(challengeKeptUntil(open), open.expiresAt + hour));
});

describe('a send', () => {
  const fresh: Challenge = {
    ...offer,
    state: 'pending',
    attempts: 0,
    askerAttempts: 0,
    deviceAttempts: 0,
    openedAt: noon,
    sentAt: noon,
    expiresAt: noon + 5 * minute,
  };
  const repeated = { ...open, sentAt: noon, expiresAt: noon + 5 * minute };
  const cases: [what: string, known: Challenge | undefined, changes: Partial<ChallengeOffer>, expected: Challenge][] = [
    ['without a challenge opens one', undefined, {}, fresh],
    ['repeats an open code, which lives longer', open, {}, repeated],
    ['repeats an open code in its last millisecond', { ...open, expiresAt: noon + 1 }, {}, repeated],
    ['at the end of a code opens a new one', { ...open, expiresAt: noon }, {}, fresh],
    ['after a code was used opens a new one', { ...open, state: 'consumed' }, {}, fresh],
    ['after guesses without a code opens a new one', { ...open, state: 'phantom' }, {}, fresh],
    [
      'keeps the attempts that were made',
      { ...open, attempts: 2, askerAttempts: 2 },
      {},
      { ...repeated, attempts: 2, askerAttempts: 2 },
    ],
    ['after the last attempt of strangers opens a new one', { ...open, attempts: 3 }, {}, fresh],
    ['after the last attempt of the asker opens a new one', { ...open, askerAttempts: 3 }, {}, fresh],
    ['after the last attempt of known devices opens a new one', { ...open, deviceAttempts: 3 }, {}, fresh],
    [
      'repeats a code only up to its longest life',
      { ...open, openedAt: noon - 9 * minute },
      {},
      { ...repeated, openedAt: noon - 9 * minute, expiresAt: noon + minute },
    ],
    [
      'repeats a code from a clock that is a minute ahead',
      { ...open, openedAt: noon + minute },
      {},
      { ...repeated, openedAt: noon + minute },
    ],
    [
      'opens a new code beside one from a clock that is more than a minute ahead',
      { ...open, openedAt: noon + minute + 1 },
      {},
      fresh,
    ],
    ['repeats a code of a known secret', open, { secretIds: ['ffff', 'abcd'] }, repeated],
    ['opens a new code instead of one whose secret is gone', open, { secretIds: ['ffff'] }, fresh],
  ];
  for (const [what, known, changes, expected] of cases) {
    it(`a send ${what}`, () =>
      assert.deepEqual(openChallenge(known, { ...offer, ...changes }, policy, noon), expected));
  }

  it('sends at any pace never let a code live longer than its longest life, or less than its life after a send', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 * minute }), { maxLength: 12 }), (pauses) => {
        let known: Challenge | undefined;
        let now = noon;
        for (const [index, pause] of pauses.entries()) {
          now += pause;
          known = openChallenge(known, { ...offer, id: `id ${index}` }, policy, now);
          assert.ok(known.expiresAt > now);
          assert.ok(known.expiresAt <= known.openedAt + 10 * minute);
          if (now - known.openedAt <= 5 * minute) assert.equal(known.expiresAt, now + 5 * minute);
        }
      }),
      { numRuns: rounds(100), seed },
    );
  });
});

describe('a judged attempt', () => {
  const wrong: CodeAttempt = { ...attempt('+49151', noon, policy), seed: { id: 'phantom', nonce: 'n', secretId: 's' } };
  const phantom: Challenge = {
    ...open,
    ...wrong.seed,
    state: 'phantom',
    attempts: 1,
    openedAt: noon,
    expiresAt: noon + 5 * minute,
  };
  const invalid = (left: number) => ({ kind: 'refused', code: 'OTP_INVALID', detail: { left } });
  const exceeded = { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail: { retryAfterSeconds: 300 } };
  const expired = { kind: 'refused', code: 'OTP_EXPIRED', detail: {} };
  const proved = { kind: 'proved' };
  const counted = (known: Challenge) => ({ ...known, attempts: known.attempts + 1 });
  const byAsker = { ...wrong, asker: 'a' };
  const old = { ...open, expiresAt: noon };
  const used: Challenge = { ...open, state: 'consumed', attempts: 2 };
  const guessed: Challenge = { ...open, state: 'phantom', attempts: 2 };

  const cases: [what: string, Challenge | undefined, CodeAttempt, outcome: object, saved: Challenge | undefined][] = [
    ['with the right code uses it up', open, right(wrong), proved, { ...counted(open), state: 'consumed' }],
    [
      'with the right code in its last millisecond uses it up',
      { ...open, expiresAt: noon + 1 },
      right(wrong),
      proved,
      { ...counted(open), expiresAt: noon + 1, state: 'consumed' },
    ],
    ['with a wrong code leaves two of three', open, wrong, invalid(2), counted(open)],
    [
      'with a wrong code leaves none at the third',
      { ...open, attempts: 2 },
      wrong,
      invalid(0),
      { ...open, attempts: 3 },
    ],
    [
      'with the right code is proved at the third',
      { ...open, attempts: 2 },
      right(wrong),
      proved,
      { ...open, attempts: 3, state: 'consumed' },
    ],
    [
      'after the last is refused, even with the right code',
      { ...open, attempts: 3 },
      right(wrong),
      exceeded,
      undefined,
    ],
    [
      'by the asker counts apart',
      { ...open, attempts: 3 },
      right(byAsker),
      proved,
      { ...open, attempts: 3, askerAttempts: 1, state: 'consumed' },
    ],
    [
      'by the asker leaves what the asker has left',
      { ...open, attempts: 3, askerAttempts: 1 },
      byAsker,
      invalid(1),
      { ...open, attempts: 3, askerAttempts: 2 },
    ],
    [
      'on a known device counts apart from strangers and askers',
      { ...open, attempts: 3, askerAttempts: 3 },
      right({ ...byAsker, device: 'd' }),
      { kind: 'proved' },
      { ...open, attempts: 3, askerAttempts: 3, deviceAttempts: 1, state: 'consumed' },
    ],
    [
      'on a known device after the last is refused',
      { ...open, deviceAttempts: 3 },
      right({ ...wrong, device: 'd' }),
      exceeded,
      undefined,
    ],
    ['by the asker after the last is refused', { ...open, askerAttempts: 3 }, right(byAsker), exceeded, undefined],
    ['with the right code that has expired says so', old, right(wrong), expired, counted(old)],
    ['with a wrong code on one that has expired looks like any wrong code', old, wrong, invalid(2), counted(old)],
    [
      'on an expired code without attempts left starts over as a guess',
      { ...old, attempts: 3 },
      wrong,
      invalid(2),
      phantom,
    ],
    [
      'with the right code on an expired one without attempts left is a guess',
      { ...old, attempts: 3 },
      right(wrong),
      invalid(2),
      phantom,
    ],
    ['with the right code that was used has lost', used, right(wrong), { kind: 'lost' }, phantom],
    ['with a wrong code after the right one was used is a guess', used, wrong, invalid(2), phantom],
    ['without a code is a guess', undefined, wrong, invalid(2), phantom],
    ['without a code is a guess even if it is right', undefined, right(wrong), invalid(2), phantom],
    ['on guesses counts on', guessed, wrong, invalid(0), counted(guessed)],
    ['on guesses is never right', guessed, right(wrong), invalid(0), counted(guessed)],
    ['on guesses ends like any other', { ...guessed, attempts: 3 }, wrong, exceeded, undefined],
    ['on guesses that have expired starts over', { ...guessed, expiresAt: noon }, wrong, invalid(2), phantom],
    [
      'on guesses in their last millisecond counts on',
      { ...guessed, expiresAt: noon + 1 },
      wrong,
      invalid(0),
      { ...counted(guessed), expiresAt: noon + 1 },
    ],
  ];
  for (const [what, known, given, outcome, saved] of cases) {
    it(`an attempt ${what}`, () => {
      const judged = judgeAttempt(known, given);
      assert.deepEqual(judged.outcome, outcome);
      assert.deepEqual(judged.challenge, saved);
    });
  }

  it('an attempt is compared with the code that its own challenge derives', () => {
    const secrets = createSecrets('a secret of this test alone, long enough');
    const known = { ...open, secretId: secrets.currentId };
    const { fixed: _, ...derived } = { ...wrong, keys: codeKeys(secrets) };
    const code = deriveCode(derived.keys, known, derived.subject) ?? assert.fail('no code');
    assert.equal(judgeAttempt(known, { ...derived, given: code }).outcome.kind, 'proved');
    const other = deriveCode(derived.keys, { ...known, id: 'other' }, derived.subject) ?? assert.fail('no code');
    assert.equal(judgeAttempt(known, { ...derived, given: other }).outcome.kind, 'refused');
    const guess = deriveCode(derived.keys, derived.seed, derived.subject) ?? '';
    assert.equal(judgeAttempt(undefined, { ...derived, given: guess }).outcome.kind, 'refused');
  });

  it('an attempt on a challenge whose secret is gone is never right', () => {
    const { fixed: _, ...derived } = { ...wrong, given: '------' };
    assert.deepEqual(judgeAttempt(open, { ...derived, given: '000000' }).outcome, invalid(2));
    assert.deepEqual(judgeAttempt(open, { ...derived, given: '' }).outcome, invalid(2));
  });

  it('attempts in any order, with sends between them, never judge more than the policy allows for one code', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('stranger' as const, 'asker' as const) },
      { weight: 1, arbitrary: fc.constant('send' as const) },
      { weight: 1, arbitrary: fc.constant('wait' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 60 }), (steps) => {
        let known: Challenge | undefined;
        let now = noon;
        const judged = new Map<string, number>();
        for (const [index, act] of steps.entries()) {
          if (act === 'wait') now += 2 * minute;
          if (act === 'send') known = openChallenge(known, { ...offer, id: `id ${index}` }, policy, now);
          if (act !== 'stranger' && act !== 'asker') continue;
          const id = `${known?.state === 'pending' ? known.id : 'none'} ${act}`;
          const given = { ...wrong, now, ...(act === 'asker' && { asker: 'a' }) };
          const { outcome, challenge } = judgeAttempt(known, given);
          known = challenge ?? known;
          const isJudged = outcome.kind === 'refused' && outcome.code === 'OTP_INVALID';
          if (known?.state === 'pending' && isJudged) judged.set(id, (judged.get(id) ?? 0) + 1);
          assert.ok((known?.attempts ?? 0) <= 3 && (known?.askerAttempts ?? 0) <= 3);
        }
        for (const [id, count] of judged) assert.ok(count <= 3, `${count} for ${id}`);
      }),
      { numRuns: rounds(150), seed },
    );
  });
});

describe('a refused attempt', () => {
  for (const [seconds, expected] of [
    [300, 300],
    [0.2, 1],
    [0, 1],
    [-5, 1],
    [1.5, 2],
  ] as const) {
    it(`an attempt that is refused for ${seconds} s may be repeated after ${expected} s`, () => {
      const detail = { retryAfterSeconds: expected };
      assert.deepEqual(refuseUntil(seconds), { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail });
    });
  }

  it('an attempt of a caller with too many wrong codes names the limit and the wait', () => {
    assert.deepEqual(refuseCaller({ rule: { count: 30, windowSeconds: 3600 }, retryAfterSeconds: 77 }), {
      kind: 'refused',
      code: 'RATE_LIMITED',
      detail: {
        retryAfterSeconds: 77,
        policy: { name: 'attempts-per-ip', quota: 30, windowSeconds: 3600, resetSeconds: 77 },
      },
    });
  });
});

describe('a derived code', () => {
  const secrets = createSecrets('the secret '.repeat(4), 'the secret before '.repeat(3));
  const challenge = { id: 'id', nonce: 'nonce', secretId: secrets.currentId };
  const subject = { purpose: 'phone-login', recipient: asPhone('+12025550123') } as const;

  it('a code is derived with the key of its secret, also of the one before', () => {
    const keys = codeKeys(secrets);
    assert.deepEqual(keys.map(([id]) => id).sort(), [...secrets.ids].sort());
    for (const id of secrets.ids) {
      const key = secrets.findKey('one-time code', id) ?? assert.fail('no key');
      assert.equal(new Map(keys).get(id), key.toString('base64url'));
      const text = 'id\nnonce\nphone-login\n+12025550123\n';
      const expected = String(hmacSha256(key, text).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
      assert.equal(deriveCode(keys, { ...challenge, secretId: id }, subject), expected);
    }
    assert.equal(deriveCode(keys, { ...challenge, secretId: 'ffff' }, subject), undefined);
  });

  it('a secret without a key for codes derives none', () => {
    const keys = codeKeys({ ...secrets, ids: ['gone'], findKey: () => undefined });
    assert.deepEqual(keys, []);
    assert.equal(deriveCode(keys, { ...challenge, secretId: 'gone' }, subject), undefined);
  });

  it('a code always has six digits, also with leading zeros', () => {
    const keys = codeKeys(secrets);
    const codes = Array.from({ length: 200 }, (_, index) =>
      deriveCode(keys, { ...challenge, id: `${index}` }, subject),
    );
    for (const code of codes) assert.match(code ?? '', /^\d{6}$/);
    assert.ok(codes.some((code) => code?.startsWith('0')));
  });

  it('a code is for one user where it has one', () => {
    const keys = codeKeys(secrets);
    const codes = [undefined, 'ann', 'bob'].map((userId) =>
      deriveCode(keys, challenge, { ...subject, ...(userId !== undefined && { userId: asUserId(userId) }) }),
    );
    assert.equal(new Set(codes).size, 3);
    assert.equal(deriveCode(keys, challenge, { ...subject, userId: asUserId('') }), codes[0]);
  });
});

describe('a submitted code', () => {
  const cases: [what: string, text: string, expected: string][] = [
    ['as it was sent', '123456', '123456'],
    ['with blanks', ' 123 456\t\n', '123456'],
    ['with blanks that do not break', '123\u00a0456', '123456'],
    ['with direction marks', '\u200e123456\u200f', '123456'],
    ['with dashes of every kind', '12-34–5—6', '123456'],
    ['in Arabic digits', '١٢٣٤٥٦', '123456'],
    ['in Persian digits', '۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['in Devanagari digits', '०१२३४५६७८९', '0123456789'],
    ['in full-width digits', '０１２３４５６７８９', '0123456789'],
    ['in mathematical digits', '𝟎𝟗𝟘𝟡𝟢𝟫𝟬𝟵𝟶𝟿', '0909090909'],
    ['with letters', '12a456', '12a456'],
    ['with other signs', '12.456', '12.456'],
  ];
  for (const [what, text, expected] of cases) {
    it(`a code ${what} is read as ${expected}`, () => assert.equal(normaliseCode(text), expected));
  }

  it('the ten digits of every script are read as 0 to 9', () => {
    const digits: number[] = [];
    for (let point = 0; point < 0x20000; point++) if (/\p{Nd}/u.test(String.fromCodePoint(point))) digits.push(point);
    assert.ok(digits.length >= 650 && digits.length % 10 === 0, `${digits.length}`);
    for (const [index, point] of digits.entries())
      assert.equal(normaliseCode(String.fromCodePoint(point)), String(index % 10), point.toString(16));
  });
});
