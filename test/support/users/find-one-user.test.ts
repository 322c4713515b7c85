// One user by id, phone number or e-mail address: a text that may fit several users is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserDirectory, UserQuery, UserRecord } from '../../../src/auth/directory/user-directory.ts';
import { findOneUser } from '../../../src/support/users/find-one-user.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

const ann = makeUserRecord({ phone: asPhone('+12025550123') });

function open(found: readonly UserRecord[]) {
  const asked: UserQuery[] = [];
  const directory: Pick<UserDirectory, 'searchUsers'> = {
    searchUsers: async (query) => {
      asked.push(query);
      return [...found];
    },
  };
  return { deps: { directory }, asked };
}

describe('one user', () => {
  for (const who of [asPhone('+12025550123'), 'ann@example.com', '0192f0c1-7d1e-7000-8000-0123456789ab']) {
    it(`${who} names one user`, async () => {
      const { deps, asked } = open([ann]);
      assert.equal(await findOneUser(deps, who), ann);
      assert.equal(asked[0]?.most, 1);
    });
  }

  for (const who of ['0123', '', '  ', 'ann']) {
    it(`${JSON.stringify(who)} is refused without a search`, async () => {
      const { deps, asked } = open([ann]);
      await assert.rejects(findOneUser(deps, who), { code: 'REQUEST_INVALID', detail: { field: 'who' } });
      assert.deepEqual(asked, []);
    });
  }

  it('nobody is found under an unknown number', () =>
    assert.rejects(findOneUser(open([]).deps, asPhone('+12025550123')), { code: 'NOT_FOUND' }));
});
