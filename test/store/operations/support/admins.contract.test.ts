// Contract of staff sign-ins and of the search for users, on both databases.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId, randomText } from '../../../../src/kernel/crypto/random.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { stateOf } from '../../../../src/support/staff/admin.ts';
import { type StaffRole, staffRoles } from '../../../../src/support/staff/staff-role.ts';
import { asPhone } from '../../../helpers/people/ids.ts';
import { hour, minute, newPhone, noon, signIn } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('staff sign-ins', (open) => {
  const admins = () => createOperatorPorts(open().store).admins;

  async function issue(name = 'Ada', role: StaffRole = 'owner') {
    const linkHash = randomText(32);
    const admin = { id: newId(), name, role, endsAt: noon + 8 * hour };
    await admins().issue({ ...admin, createdAt: noon, linkEndsAt: noon + hour, linkHash });
    return { ...admin, linkHash };
  }

  it('hasAny says whether a staff sign-in was ever issued', async () => {
    assert.equal(await admins().hasAny(), false);
    await issue();
    assert.equal(await admins().hasAny(), true);
  });

  it('a staff sign-in keeps its role; one of an older version is an owner, and an unknown role may only look', async () => {
    const enter = async (linkHash: string) => {
      const sessionHash = randomText(32);
      const entered = await admins().enter({ linkHash, sessionHash, now: noon });
      assert.equal(entered?.role, (await admins().find(sessionHash))?.role);
      return entered?.role;
    };
    for (const role of staffRoles) assert.equal(await enter((await issue('Ada', role)).linkHash), role);
    const [old, later] = [await issue('Old'), await issue('Later')];
    await open().query(`update admins set role = null where id = '${old.id}'`);
    await open().query(`update admins set role = 'auditor' where id = '${later.id}'`);
    assert.deepEqual([await enter(old.linkHash), await enter(later.linkHash)], ['owner', 'viewer']);
  });

  it('one of many racing requests with one staff link signs in', async () => {
    const { linkHash, ...admin } = await issue();
    const hashes = Array.from({ length: 5 }, () => randomText(32));
    const entered = await Promise.all(
      hashes.map((sessionHash) => admins().enter({ linkHash, sessionHash, now: noon })),
    );
    assert.deepEqual(
      entered.filter((one) => one !== undefined),
      [admin],
    );
    assert.equal(await admins().enter({ linkHash, sessionHash: randomText(32), now: noon }), undefined);
    const winner = hashes[entered.findIndex((one) => one !== undefined)] ?? '';
    assert.equal((await admins().find(winner))?.name, 'Ada');
    for (const hash of hashes.filter((one) => one !== winner)) assert.equal(await admins().find(hash), undefined);
  });

  it('a staff link that is late, revoked or unknown does not sign in', async () => {
    const [late, revoked] = [await issue(), await issue()];
    assert.equal(await admins().end({ id: revoked.id, reason: 'revoked', by, now: noon }), true);
    for (const [linkHash, now] of [
      [late.linkHash, noon + hour],
      [revoked.linkHash, noon],
      ['unknown', noon],
    ] as const)
      assert.equal(await admins().enter({ linkHash, sessionHash: randomText(32), now }), undefined);
  });

  it('a staff sign-in goes idle, stays active while it is used, and ends once for good', async () => {
    const { id, linkHash } = await issue('Grace');
    const sessionHash = randomText(32);
    await admins().enter({ linkHash, sessionHash, now: noon });
    const state = async (now: number) => stateOf((await admins().find(sessionHash)) ?? assert.fail(), now);
    assert.equal(await state(noon + 29 * minute), 'active');
    assert.equal(await state(noon + 30 * minute), 'idle');
    await admins().touch({ id, now: noon + 29 * minute });
    assert.equal(await state(noon + 58 * minute), 'active');
    assert.equal(await state(noon + 8 * hour), 'expired');
    const ends = ['left', 'revoked'] as const;
    const ended = await Promise.all(ends.map((reason) => admins().end({ id, reason, now: noon + minute })));
    assert.equal(ended.filter((isEnded) => isEnded).length, 1);
    assert.equal(await admins().end({ id: newId(), reason: 'left', now: noon }), false);
    const [listed] = (await admins().list(99)).filter((one) => one.id === id);
    assert.equal(listed?.endedAt, noon + minute);
  });
});

onEveryStore('the search for users', (open) => {
  it('users are found by the last digits of their phone number, newest first, page by page', async () => {
    const { directory } = createOperatorPorts(open().store);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { userId } = await signIn(open().ports, asPhone(`+49157000${count}7531`), noon);
      ids.unshift(userId);
    }
    const { userId: other } = await signIn(open().ports, newPhone(), noon);
    const find = async (text: string, before?: string) => {
      const query = { by: 'phone end', text, most: 2, ...(before !== undefined && { before }) } as const;
      return (await directory.searchUsers(query)).map(({ id }) => id);
    };
    for (const end of ['531', '7531']) {
      assert.deepEqual(await find(end), ids.slice(0, 2), end);
      assert.deepEqual(await find(end, ids[1]), ids.slice(2, 4), end);
      assert.deepEqual(await find(end, ids[3]), ids.slice(4), end);
    }
    const [found] = await directory.searchUsers({ by: 'phone end', text: '37531', most: 2 });
    assert.equal(found?.phone, '+4915700037531');
    assert.deepEqual(await find('999'), []);
    const all = await directory.searchUsers({ by: 'nothing', text: '', most: 3 });
    assert.deepEqual(
      all.map(({ id }) => id),
      [other, ...ids].slice(0, 3),
    );
  });
});
