// The rules of binding an address: who gets it, which one it replaces, and what is written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BindingVerdict,
  boundEvents,
  judgeBinding,
  removedEvent,
  replacedNotice,
} from '../../src/auth/email-binding.ts';
import { attempt, binding, noon } from '../helpers/store/fixtures.ts';

const old = { address: 'Old@b.c', key: 'old@b.c' };
const given = binding(attempt('new@b.c', noon), 'me', 'New@b.c', noon);
const { emailKey } = given;

describe('binding an address', () => {
  const free = { kind: 'bound', replaced: undefined } as const;
  const cases: [what: string, Parameters<typeof judgeBinding>[0], BindingVerdict][] = [
    ['of a user without one', { user: { bound: undefined }, owner: undefined }, free],
    ['of a user with another', { user: { bound: old }, owner: undefined }, { kind: 'bound', replaced: old }],
    ['that the user has', { user: { bound: { address: 'New@b.c', key: emailKey } }, owner: 'me' }, free],
    ['that somebody else has', { user: { bound: old }, owner: 'other' }, { kind: 'taken' }],
    ['of a deleted user', { user: undefined, owner: undefined }, { kind: 'gone' }],
    ['of a deleted user that somebody else has', { user: undefined, owner: 'other' }, { kind: 'gone' }],
  ];
  for (const [what, state, expected] of cases) {
    it(`${what}: ${expected.kind}`, () => assert.deepEqual(judgeBinding(state, given), expected));
  }

  it('writes down the new address, masked, and before it the one that it replaces', () => {
    const kinds = (replaced: typeof old | undefined) =>
      boundEvents(given, replaced).map(({ kind, userId, detail, now }) => [kind, userId, detail, now]);
    const bound = ['email.bound', 'me', { email: 'N•••@b.c' }, noon];
    assert.deepEqual(kinds(undefined), [bound]);
    assert.deepEqual(kinds(old), [['email.replaced', 'me', { old: 'O•••@b.c' }, noon], bound]);
  });

  it('tells the address that it replaces', () => {
    const notice = replacedNotice(given, old);
    assert.deepEqual(notice, { ...given.notice, payload: { ...given.notice.payload, to: 'Old@b.c' } });
  });
});

describe('removing an address', () => {
  it('writes down which one, masked, and who did it', () => {
    const by = { actor: 'cli', why: 'set back' } as const;
    assert.deepEqual(removedEvent({ userId: 'me', by, now: noon }, old), {
      kind: 'email.removed',
      userId: 'me',
      detail: { old: 'O•••@b.c', ...by },
      now: noon,
    });
  });
});
