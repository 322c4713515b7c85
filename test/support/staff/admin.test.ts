// A staff sign-in: its state, who may enter or end it, its tokens, and the reason that every act needs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanReason } from '../../../src/kernel/audit.ts';
import { randomText } from '../../../src/kernel/crypto/random.ts';
import {
  type AdminRecord,
  actOf,
  adminEndedEvent,
  adminPolicy,
  canEnd,
  canEnter,
  enteredEvent,
  hashAdminToken,
  isAdminToken,
  issuedEvent,
  stateOf,
  usedAt,
} from '../../../src/support/staff/admin.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const hour = 3_600_000;
const by = { actor: 'cli', why: 'fraud' } as const;

const waiting: AdminRecord = {
  id: 'id',
  name: 'Ann',
  role: 'support',
  createdAt: noon - hour,
  linkEndsAt: noon + 1,
  endsAt: noon + hour,
  lastUsedAt: undefined,
  endedAt: undefined,
  endReason: undefined,
};
const used = { ...waiting, lastUsedAt: noon - 1 };
const idle = adminPolicy.idleSeconds * 1000;

describe('a staff sign-in', () => {
  const cases: [state: string, record: AdminRecord, isEnterable: boolean, isEndable: boolean][] = [
    ['waiting', waiting, true, true],
    ['expired', { ...waiting, linkEndsAt: noon }, false, true],
    ['expired', { ...waiting, endsAt: noon }, false, true],
    ['expired', { ...used, endsAt: noon }, false, true],
    ['active', used, false, true],
    ['active', { ...used, linkEndsAt: noon - 1 }, false, true],
    ['active', { ...used, lastUsedAt: noon - idle + 1 }, false, true],
    ['active', { ...used, lastUsedAt: noon + hour }, false, true],
    ['idle', { ...used, lastUsedAt: noon - idle }, false, true],
    ['left', { ...used, endedAt: noon, endReason: 'left' }, false, false],
    ['left', { ...used, endedAt: noon - 1, endReason: 'left', endsAt: noon }, false, false],
    ['revoked', { ...waiting, endedAt: noon, endReason: 'revoked' }, false, false],
    ['revoked', { ...waiting, endedAt: noon }, false, false],
  ];
  for (const [index, [state, record, isEnterable, isEndable]] of cases.entries()) {
    it(`that is ${state} can ${isEnterable ? '' : 'not '}be entered and can ${isEndable ? '' : 'not '}be ended (case ${index + 1})`, () => {
      assert.deepEqual(
        [stateOf(record, noon), canEnter(record, noon), canEnd(record)],
        [state, isEnterable, isEndable],
      );
    });
  }

  it('is never set back in its use', () => {
    assert.equal(usedAt(waiting, noon), noon);
    assert.equal(usedAt({ ...waiting, lastUsedAt: noon - 5 }, noon), noon);
    assert.equal(usedAt({ ...waiting, lastUsedAt: noon + 5 }, noon), noon + 5);
  });

  it('writes down who got it, who entered and who ended it', () => {
    const who = { admin: 'Ann', token: 'id' };
    const own = { detail: { actor: 'admin', ...who }, now: noon };
    const role = 'support';
    const draft = { ...waiting, linkHash: 'hash', createdAt: noon };
    assert.deepEqual(issuedEvent(draft), {
      kind: 'admin.issued',
      detail: { actor: 'cli', ...who, role },
      now: noon,
    });
    assert.deepEqual(enteredEvent(waiting, noon), {
      kind: 'admin.entered',
      detail: { actor: 'admin', ...who, role },
      now: noon,
    });
    assert.deepEqual(adminEndedEvent(waiting, { id: 'id', reason: 'left', now: noon }), { kind: 'admin.left', ...own });
    assert.deepEqual(adminEndedEvent(waiting, { id: 'id', reason: 'revoked', by, now: noon }), {
      kind: 'admin.revoked',
      detail: { ...by, ...who },
      now: noon,
    });
  });
});

describe('the token of a staff sign-in', () => {
  it('a random text of 32 bytes is one', () => assert.ok(isAdminToken(randomText(32))));

  for (const text of [
    '',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}+`,
    `${'a'.repeat(43)}\n`,
    ` ${'a'.repeat(43)}`,
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(isAdminToken(text), false));
  }

  it('its hash differs by token, and is not the plain hash of the token', () => {
    assert.equal(hashAdminToken('a'), hashAdminToken('a'));
    assert.notEqual(hashAdminToken('a'), hashAdminToken('b'));
    assert.notEqual(hashAdminToken('admin a'), hashAdminToken('a'));
    assert.match(hashAdminToken('a'), /^[\w-]{43}$/);
  });
});

describe('the reason of an act', () => {
  it('an act of staff names the member, the sign-in and the reason', () =>
    assert.deepEqual(actOf(waiting, ' ticket 4711\n'), {
      actor: 'admin',
      admin: 'Ann',
      token: 'id',
      why: 'ticket 4711',
    }));

  for (const reason of ['', '  ', '\n\t', '\u200b\u202e']) {
    it(`${JSON.stringify(reason)} is no reason`, () =>
      assert.throws(() => actOf(waiting, reason), { code: 'REQUEST_INVALID', detail: { field: 'reason' } }));
  }

  it('a reason is one line of at most 200 characters, whatever was written', () => {
    const property = fc.property(fc.string({ maxLength: 300 }), (text) => {
      const why = cleanReason(text);
      assert.ok(why.length <= 200 && why === why.trim());
      assert.doesNotMatch(why, /[\p{C}\u2028\u2029]/u);
    });
    fc.assert(property, { seed, numRuns: 100, examples: [['x'.repeat(300)], ['a\nb\u2028c']] });
    assert.equal(cleanReason('x'.repeat(201)).length, 200);
  });
});
