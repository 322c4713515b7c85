// Operations that change many rows lock them on PostgreSQL in the order of their key, whatever their order in the table.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { liveLinksPerUser } from '../../../src/auth/links/login-link.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { asFileId, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { store } from '../../helpers/store/file-fixtures.ts';
import {
  bind,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../../helpers/store/fixtures.ts';
import { openTestStore, type TestStore } from '../../helpers/store/test-store.ts';
import { applyDue } from '../races/phone-races.ts';

type User = { readonly userId: UserId; readonly phone: string; readonly tokens: readonly string[] };
type Act = (test: TestStore, user: User) => Promise<unknown>;

const by = { actor: 'cli', why: 'a test' } as const;
const count = 5;

const acts: readonly (readonly [string, 'sessions' | 'login_links' | 'files', Act])[] = [
  ['the deletion of a user', 'sessions', ({ ports }, { userId }) => ports.users.deleteUser({ userId, now: noon })],
  ['the deletion of a user', 'login_links', ({ ports }, { userId }) => ports.users.deleteUser({ userId, now: noon })],
  ['the deletion of a user', 'files', ({ ports }, { userId }) => ports.users.deleteUser({ userId, now: noon })],
  [
    'a block',
    'sessions',
    ({ store: { call } }, { userId }) => call('directory.actOn', { userId, act: 'block', by, now: noon }),
  ],
  [
    'the end of all sessions',
    'sessions',
    ({ ports }, { userId }) =>
      ports.sessions.endSessions({ userId, sessionId: asSessionId(''), scope: 'all', reason: 'logged out', now: noon }),
  ],
  [
    'a sign-in that evicts sessions',
    'sessions',
    async ({ ports }, { phone }) => {
      const session = { policy: { ...sessionPolicy, perUser: 1 } };
      const given = await rightAttempt(ports, phone, noon);
      return ports.signIns.signInWithPhone(phoneSignIn(given, asPhone(phone), noon, { session }));
    },
  ],
  [
    'a sign-in by the first link',
    'login_links',
    ({ ports }, { tokens: [tokenHash = ''] }) =>
      ports.signIns.signInWithLink({ tokenHash, session: sessionDraft(noon) }),
  ],
  [
    'the removal of an e-mail address',
    'login_links',
    ({ store: { call } }, { userId }) => call('bindings.removeEmail', { userId, by, now: noon }),
  ],
];

describe('rows of one user on PostgreSQL', () => {
  let test: TestStore;
  let holder: pg.Client;
  before(async () => {
    test = await openTestStore('postgres');
    holder = new pg.Client({ connectionString: test.address });
    await holder.connect();
  });
  after(async () => {
    await holder?.end();
    await test?.end();
  });

  for (const [name, table, act] of acts) {
    it(`${name} locks rows of ${table} in the order of their key`, async () => {
      const user = await prepare(test);
      const key = table === 'login_links' ? 'token_hash' : 'id';
      const ofUser = `from ${table} where user_id = '${user.userId}'`;
      const keys = (await test.query(`select ${key} as key ${ofUser}`)).map((row) => String(row.key)).toSorted();
      const middle = keys[Math.floor(keys.length / 2)] ?? assert.fail();
      await holder.query('begin');
      await holder.query(`select ${key} ${ofUser} and ${key} = '${middle}' for update`);
      const acting = act(test, user);
      const isOver = acting.then(() => true);
      while ((await test.query(waiting)).length === 0) assert.ok(!(await Promise.race([isOver, sleep(5)])), 'no wait');
      const free = await test.query(`select ${key} as key ${ofUser} for update skip locked`);
      await holder.query('rollback');
      await acting;
      const used = table === 'login_links' && name.includes('link') ? user.tokens[0] : undefined;
      assert.deepEqual(
        free.map((row) => String(row.key)).toSorted(),
        keys.filter((each) => each > middle && each !== used),
      );
    });
  }

  it('scheduled changes take numbers in the order of sign-ups, whatever the order of their users', async () => {
    const numbers = Array.from({ length: 3 }, newPhone).toSorted();
    const [lowest = '', ...higher] = numbers;
    for (const number of [...higher, lowest]) {
      const { userId } = await signIn(test.ports, newPhone(), noon);
      await test.query(
        `update users set next_phone = '${number}', next_phone_at = ${noon}, next_phone_language = 'en'
          where id = '${userId}'`,
      );
    }
    const signUp = (phone: string) => `insert into users (id, phone, created_at) values ('${newId()}', '${phone}', 1)`;
    // Shorter than the time after which the database ends a deadlock.
    await holder.query("begin; set local lock_timeout = '500ms'");
    await holder.query(signUp(lowest));
    const acting = applyDue(test.ports, numbers.length);
    while ((await test.query(waiting)).length === 0) await sleep(5);
    // A sign-up has the lowest number. It can take the others too, because the changes wait for it before they take one.
    for (const phone of higher) await holder.query(signUp(phone));
    await holder.query('commit');
    assert.equal(await acting, 'taken,taken,taken');
  });
});

const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** A user with sessions, links and files created in the reverse order of their keys. */
async function prepare({ ports }: TestStore): Promise<User> {
  const phone = newPhone();
  const address = newEmail();
  const ids = Array.from({ length: count }, newId).toReversed();
  let userId = asUserId('');
  for (const id of ids) userId = (await signIn(ports, phone, noon, { session: { id: asSessionId(id) } })).userId;
  await bind(ports, userId, address, noon);
  const tokens = ids.slice(0, liveLinksPerUser);
  for (const token of tokens) await ports.links.issueLink(linkIssue(address, token, noon));
  for (const id of ids) await store(ports, userId, noon, { file: { id: asFileId(id) } });
  return { userId, phone, tokens };
}
