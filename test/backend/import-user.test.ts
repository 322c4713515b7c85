// The rules of an import: which user a draft belongs to, what it may add, and when it is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  completeUser,
  type DraftOwners,
  findConflict,
  type ImportedFields,
  importedEvents,
  matchDraft,
  noImportedFields,
} from '../../src/backend/import-user.ts';
import { eachUserDatum } from '../../src/backend/user-data.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../helpers/people/ids.ts';
import { makeDraft } from '../helpers/people/user.ts';

const nothing = noImportedFields;
const whole: ImportedFields = {
  ...eachUserDatum((field) => `the ${field}`),
  phone: asPhone('+12025550123'),
  email: asEmail('Ann@example.com'),
  emailKey: asEmailKey('ann@example.com'),
};
const draft = makeDraft(whole);
const nobody: DraftOwners = { id: undefined, externalId: undefined, phone: undefined, email: undefined };

describe('the rules of an import', () => {
  it('a draft belongs to the owner of its id, else of its external id, its number, its address', () => {
    const cases: readonly (readonly [Partial<DraftOwners>, string | undefined])[] = [
      [{}, undefined],
      [{ email: asUserId('d') }, 'd'],
      [{ email: asUserId('d'), phone: asUserId('c') }, 'c'],
      [{ email: asUserId('d'), phone: asUserId('c'), externalId: asUserId('b') }, 'b'],
      [{ email: asUserId('d'), phone: asUserId('c'), externalId: asUserId('b'), id: asUserId('a') }, 'a'],
    ];
    for (const [owners, expected] of cases) assert.equal(matchDraft({ ...nobody, ...owners }), expected);
  });

  it('a value of another user refuses the draft, and so does another external id of the same user', () => {
    const cases: readonly (readonly [Partial<DraftOwners>, Partial<ImportedFields> | undefined, string | undefined])[] =
      [
        [{}, undefined, undefined],
        [
          { phone: asUserId('a'), email: asUserId('a'), externalId: asUserId('a'), id: asUserId('a') },
          whole,
          undefined,
        ],
        [{ id: asUserId('a'), externalId: asUserId('b') }, {}, 'the external id belongs to another user'],
        [{ externalId: asUserId('a'), phone: asUserId('b') }, whole, 'the phone number belongs to another user'],
        [{ phone: asUserId('a'), email: asUserId('b') }, whole, 'the e-mail address belongs to another user'],
        [{ phone: asUserId('a') }, { externalId: 'x2' }, 'the user has another external id'],
        [{ phone: asUserId('a') }, { externalId: null }, undefined],
      ];
    for (const [owners, user, expected] of cases) {
      const fields = user && { ...nothing, ...user };
      assert.equal(findConflict(draft, { ...nobody, ...owners }, fields), expected, JSON.stringify(owners));
    }
    const anonymous = { ...draft, externalId: null };
    assert.equal(
      findConflict(anonymous, { ...nobody, phone: asUserId('a') }, { ...nothing, externalId: 'x2' }),
      undefined,
    );
  });

  it('an existing user gets each field that is missing and keeps every other', () => {
    const other: ImportedFields = {
      ...eachUserDatum((field) => `another ${field}`),
      phone: asPhone('+49'),
      email: asEmail('B@example.com'),
      emailKey: asEmailKey('b@example.com'),
    };
    assert.deepEqual(completeUser(nothing, whole), whole);
    assert.equal(completeUser(whole, other), undefined);
    assert.equal(completeUser(whole, nothing), undefined);
    assert.equal(completeUser(nothing, nothing), undefined);
    for (const name of Object.keys(whole) as (keyof ImportedFields)[]) {
      const isAddress = name === 'email' || name === 'emailKey';
      const gap = isAddress ? { email: null, emailKey: null } : { [name]: null };
      const filled = isAddress ? { email: other.email, emailKey: other.emailKey } : { [name]: other[name] };
      assert.deepEqual(completeUser({ ...whole, ...gap }, other), { ...whole, ...filled }, name);
    }
  });

  it('a batch that changes something has one event with its counts, and one that changes nothing has none', () => {
    const batch = { drafts: [], by: { actor: 'cli', why: 'a move' }, now: 7 } as const;
    const event = { kind: 'users.imported', detail: { created: 2, completed: 1, actor: 'cli', why: 'a move' }, now: 7 };
    assert.deepEqual(importedEvents(batch, ['created', 'unchanged', 'completed', 'created']), [event]);
    assert.deepEqual(importedEvents(batch, ['unchanged', 'the user has another external id']), []);
  });
});
