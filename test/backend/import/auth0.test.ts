// The apostrophes of Auth0: those that its CSV puts before texts are taken away, and a user's own stay.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePhoneNumber } from '../../../src/auth/identity/phone-number.ts';
import { auth0 } from '../../../src/backend/import/auth0.ts';
import { draftUser } from '../../../src/backend/import/draft-user.ts';
import { asRecord } from '../../../src/kernel/text/as-record.ts';

type Fields = Readonly<Record<string, unknown>>;

function entriesOf(text: string): Fields[] {
  const splitter = auth0.split(text);
  return [...splitter.push(text), ...splitter.end()].map((entry) => {
    assert.ok('value' in entry, JSON.stringify(entry));
    return asRecord(entry.value);
  });
}

function draftOf(record: Fields) {
  const readPhone = (phone: string) => parsePhoneNumber(phone).phone;
  return draftUser(auth0.read(record), { readPhone, now: Date.UTC(2026, 0, 1) });
}

describe('the reader of Auth0', () => {
  it('takes one apostrophe from each text of a CSV record whose id, address and number have one', () => {
    const read = (...lines: readonly string[]) =>
      entriesOf(`${lines.join('\n')}\n`).map((value) => {
        const { externalId, email, phone, 'metadata.public': metadata } = auth0.read(value);
        return [externalId, email, phone, metadata];
      });
    const name = "'t Hooft";
    const header = 'user_id,email,phone_number,name';
    assert.deepEqual(read(header, `auth0|1,,,${name}`), [['auth0|1', undefined, undefined, { name }]]);
    assert.deepEqual(read(header, `'auth0|1,,,'${name}`), [['auth0|1', undefined, undefined, { name }]]);
    assert.deepEqual(read(header, `,'a@b.c,,'Ann`), [[undefined, 'a@b.c', undefined, { name: 'Ann' }]]);
    assert.deepEqual(read(header, `,,'+1,`), [[undefined, undefined, '+1', undefined]]);
    assert.deepEqual(read(`"'user_id","'email"`, `"'auth0|1",`), [['auth0|1', undefined, undefined, undefined]]);
    // A file without marks, and a record without them: the apostrophe is the user's own.
    const own = ['auth0|1', "'x@b.c", undefined, { name }];
    assert.deepEqual(read(header, `auth0|1,'x@b.c,,${name}`), [own]);
    const marked = ['auth0|0', 'a@b.c', undefined, undefined];
    assert.deepEqual(read(header, `'auth0|0,'a@b.c,,`, `auth0|1,'x@b.c,,${name}`), [marked, own]);
    assert.deepEqual(read('email', 'a@b.c', "'x@b.c").at(-1), [undefined, "'x@b.c", undefined, undefined]);
  });

  it('takes no apostrophe from JSON: an address that begins with one is left out', () => {
    const record = { user_id: 'auth0|1', email: "'neil@example.com", email_verified: true, nickname: "'t Hooft" };
    const numbered = { ...record, phone_number: '+12025550123', phone_verified: true };
    for (const file of [
      `${JSON.stringify(record)}\n${JSON.stringify(numbered)}\n`,
      JSON.stringify([record, numbered]),
    ]) {
      const [alone, withNumber, ...others] = entriesOf(file).map(draftOf);
      assert.deepEqual(others, []);
      const reason = 'the e-mail address begins with a quotation mark';
      assert.deepEqual(alone, { kind: 'refused', reason: `no way in: ${reason}` });
      assert.ok(withNumber?.kind === 'draft');
      const { draft, leftOut } = withNumber;
      assert.deepEqual([draft.email, draft.emailKey, draft.phone, leftOut], [null, null, '+12025550123', [reason]]);
      assert.deepEqual(draft['metadata.public'], JSON.stringify({ nickname: "'t Hooft" }));
    }
    assert.equal(auth0.read({ "'user_id": "'auth0|1", user_id: "'auth0|2" }).externalId, "'auth0|2");
  });
});
