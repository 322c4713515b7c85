// The roles of staff: which includes which, and how a stored role is read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { includesRole, readRole, staffRoles } from '../../../src/support/staff/staff-role.ts';

describe('the roles of staff', () => {
  it('each role may do what the ones before it may, and no more', () => {
    const table = staffRoles.map((has) => staffRoles.filter((needed) => includesRole(has, needed)));
    assert.deepEqual(table, [['viewer'], ['viewer', 'support'], ['viewer', 'support', 'owner']]);
  });

  it('a sign-in of an older version is an owner, and a role of a later version may only look', () => {
    assert.deepEqual(staffRoles.map(readRole), [...staffRoles]);
    assert.deepEqual(
      [readRole(null), readRole(''), readRole('auditor'), readRole('Owner')],
      ['owner', 'viewer', 'viewer', 'viewer'],
    );
  });
});
