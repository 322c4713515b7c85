// Contract of a store set back in time: everything it issued ends in one commit, once per time, and not while a service uses it.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { it } from 'node:test';
import { readEvents } from '../../src/backend/read-events.ts';
import { openSetBackStore } from '../../src/service/choose-snapshots.ts';
import { createOperatorPorts } from '../../src/store/ports.ts';
import { newUser, store as storeFile } from '../helpers/store/file-fixtures.ts';
import { day, noon } from '../helpers/store/fixtures.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';

onEveryStore('a store set back in time', (open, kind) => {
  it('endEverything ends all that the store issued, keeps users and files, and does so once per time', async () => {
    const { store, ports, address, query, rows } = open();
    const setBack = await openSetBackStore({
      databaseUrl: kind === 'postgres' ? address : undefined,
      dataDir: dirname(address),
    });
    const userId = await newUser(ports, noon);
    await storeFile(ports, userId, noon);
    await query(`update sessions set last_used_at = ${noon + 9 * day} where user_id = '${userId}'`);
    await query("insert into signing_keys values (1, 'key', 'public', 'private', 0, 0)");
    await query(`update users set next_phone = '+491', next_phone_at = ${noon}, next_phone_language = 'en'`);
    await query(`insert into notice_links (token_hash, user_id, state, created_at, expires_at, sweep_at)
      values ('hash', 'user', 'issued', 0, 0, 0)`);
    await query(`insert into service_keys values
      ('key', 'shop', 'hash', 'users:read', 'cli', 0, ${noon + day}, null, null),
      ('gone', 'shop', 'hash', 'users:read', 'cli', 0, ${noon + day}, 5, null)`);
    await query(`insert into app_consents values ('${userId}', 'shop', 'openid', 0)`);
    await query(`insert into webhooks values
      ('waiting', 'event', 'here', 'user.created', 'queued', 0, 0, 0, null, null, null),
      ('delivered', 'event', 'here', 'user.created', 'delivered', 1, 0, 0, 5, null, null)`);
    const { events } = createOperatorPorts(store);
    const { next } = await readEvents({ events }, { after: undefined, limit: 10 });
    const [to, later] = ['2027-01-31T04:30:00.000Z', '2027-02-01T04:30:00.000Z'];
    const sessions = (await rows('sessions')).length;
    await assert.rejects(setBack.endEverything({ to, now: noon, evenInUse: false }), /A service uses this database/);
    assert.equal((await rows('sessions')).length, sessions);

    const ended = await setBack.endEverything({ to, now: noon, evenInUse: true });
    assert.deepEqual(
      { ...ended, messages: 0 },
      { sessions, adminSignIns: 0, serviceKeys: 1, messages: 0, webhooks: 1, phoneChanges: 1 },
    );
    for (const table of [
      'sessions',
      'signing_keys',
      'challenges',
      'login_links',
      'notice_links',
      'admins',
      'service_keys',
      'app_codes',
      'app_consents',
      'outbox',
      'uploads',
      'event_log',
    ] as const)
      assert.deepEqual(await rows(table), [], table);
    const [delivered, parked] = (await rows('webhooks')).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual([delivered?.state, parked?.state, parked?.done_at], ['delivered', 'parked', noon]);
    assert.equal((await rows('users'))[0]?.seen_at, noon + 9 * day, 'the last use is known without the sessions');
    assert.deepEqual([(await rows('users')).length, (await rows('files')).length], [1, 1]);

    const [scheduled] = await rows('users');
    assert.deepEqual([scheduled?.next_phone, scheduled?.next_phone_at], ['+491', 0], 'it is announced again first');

    await assert.rejects(readEvents({ events }, { after: next, limit: 10 }), { code: 'CURSOR_EXPIRED' });
    const kept = await readEvents({ events }, { after: undefined, limit: 10 });
    assert.deepEqual(
      kept.events.map(({ type }) => type),
      ['user.created', 'user.signed_in', 'file.stored'],
    );

    const again = await newUser(ports, noon);
    assert.equal(await setBack.endEverything({ to, now: noon, evenInUse: true }), undefined);
    assert.deepEqual(
      (await rows('sessions')).map((row) => row.user_id),
      [again],
    );
    assert.equal((await setBack.endEverything({ to: later, now: noon, evenInUse: true }))?.sessions, 1);
    assert.equal(await store.call('journal.findLastEvent', 'database.recovered'), noon);
  });
});
