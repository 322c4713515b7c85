// Inputs of one batch see what the inputs before them have changed, also where it is rare: each of these was wrong once.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { usageCounterId } from '../../src/abuse/sms-brake.ts';
import { challengeSlot } from '../../src/auth/codes/challenge.ts';
import type { PhoneSignIn } from '../../src/auth/sign-in/sign-in.ts';
import type { UserId } from '../../src/kernel/ids.ts';
import type { Ports } from '../../src/store/ports.ts';
import { asEmailKey, asPhone } from '../helpers/people/ids.ts';
import {
  attempt,
  binding,
  hour,
  linkIssue,
  minute,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  phoneSignIn,
  right,
  rightAttempt,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../helpers/store/fixtures.ts';
import { onEveryStore, openTestStore, type TestStore } from '../helpers/store/test-store.ts';

onEveryStore('the order of inputs in a batch', (open) => {
  it('an address that one user gives up is free for the next', async () => {
    const { ports, store, rows } = open();
    const [left, next] = [newEmail(), newEmail()];
    const leaver = await ownerOf(ports, asPhone(left), noon);
    const { userId: taker } = await signIn(ports, newPhone(), noon);
    const moves = [await proven(ports, leaver, next), await proven(ports, taker, left)];
    const outcomes = await Promise.all(moves.map((move) => store.call('bindings.bindEmail', move)));
    assert.deepEqual(outcomes, [{ kind: 'bound' }, { kind: 'bound' }]);
    const bound = new Map((await rows('users')).map((user) => [user.id, user.email]));
    assert.deepEqual([bound.get(leaver), bound.get(taker)], [next, left]);
  });

  it('users who exchange their addresses in one batch do not get them', async () => {
    const { ports, store } = open();
    const addresses = [newEmail(), newEmail()] as const;
    const users = [await ownerOf(ports, addresses[0], noon), await ownerOf(ports, addresses[1], noon)] as const;
    const moves = [await proven(ports, users[0], addresses[1]), await proven(ports, users[1], addresses[0])];
    const outcomes = await Promise.all(moves.map((move) => store.call('bindings.bindEmail', move)));
    assert.deepEqual(outcomes, [{ kind: 'taken' }, { kind: 'taken' }]);
  });

  it('a link that has expired is lost after another link of the user was used', async () => {
    const { ports, store } = open();
    const address = newEmail();
    await ownerOf(ports, address, noon);
    const [used, old] = [`used ${address}`, `old ${address}`];
    await ports.links.issueLink(linkIssue(address, old, noon - hour));
    await ports.links.issueLink(linkIssue(address, used, noon));
    const uses = [used, old].map((tokenHash) => ({ tokenHash, session: sessionDraft(noon) }));
    const outcomes = await Promise.all(uses.map((use) => store.call('signIns.signInWithLink', use)));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['signed in', 'lost'],
    );
  });

  it('a code counts as used when it was opened, though a later guess has replaced it', async () => {
    const { ports, store, rows } = open();
    const phone = newPhone();
    const country = 'NZ';
    const opened = noon - 15 * minute;
    const wrong = attempt(phone, opened, { lifeSeconds: 3600, capSeconds: 3600 });
    const given = { ...(await rightAttempt(ports, phone, opened, wrong)), now: noon };
    const both = [given, { ...given, given: '000000' }].map((one) =>
      phoneSignIn(one, phone, noon, { country, countsUse: true }),
    );
    const outcomes = await Promise.all(both.map((one) => store.call('signIns.signInWithPhone', one)));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['signed in', 'refused'],
    );
    const row = (await rows('limits')).find(({ id }) => id === usageCounterId(country));
    assert.deepEqual(JSON.parse(row?.hits ?? ''), [[Math.floor(opened / 600_000), 0, 1, 0]]);
  });

  it('a session that the batch itself evicts is stored as ended, so that every node learns of it', async () => {
    const { ports, store } = open();
    const { userId } = await signIn(ports, newPhone(), noon);
    const { phone = '' } = (await ports.users.findUser(userId)) ?? {};
    const policy = { ...sessionPolicy, perUser: 1 };
    const inputs: PhoneSignIn[] = [];
    for (const at of [1, 2]) {
      const slot = challengeSlot('phone-login', asPhone(`${phone} ${at}`));
      const given = await rightAttempt(ports, phone, noon, { ...attempt(phone, noon), slot });
      inputs.push(phoneSignIn(given, asPhone(phone), noon + at, { session: { policy, now: noon + at } }));
    }
    const [first, second] = await Promise.all(inputs.map((input) => store.call('signIns.signInWithPhone', input)));
    assert.equal(first?.kind, 'signed in');
    assert.ok(second?.kind === 'signed in');
    assert.deepEqual(second.evicted, [inputs[0]?.session.id]);
    const ended = await ports.sessions.endedSince(noon + 1);
    assert.ok(ended.some(({ id }) => id === inputs[0]?.session.id));
  });
});

describe('a sign-in that would evict a session', () => {
  let test: TestStore;
  let other: pg.Client;
  before(async () => {
    test = await openTestStore('postgres');
    other = new pg.Client({ connectionString: test.address });
    await other.connect();
  });
  after(async () => {
    await other?.end();
    await test?.end();
  });

  it('evicts none if another node has just ended it, on PostgreSQL', async () => {
    const { ports } = test;
    const phone = newPhone();
    const { session } = await signIn(ports, phone, noon);
    const given = await rightAttempt(ports, phone, noon);
    const policy = { ...sessionPolicy, perUser: 1 };
    await other.query('begin');
    await other.query(`update sessions set ended_at = ${noon}, end_reason = 'logged out' where id = '${session.id}'`);
    const entering = ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon, { session: { policy } }));
    const isOver = entering.then(() => true);
    while ((await test.query(waiting)).length === 0) assert.ok(!(await Promise.race([isOver, sleep(5)])), 'no wait');
    await other.query('commit');
    const outcome = await entering;
    assert.ok(outcome.kind === 'signed in');
    assert.deepEqual(outcome.evicted, []);
    assert.deepEqual(await test.query(`select id from audit_events where kind = 'session.evicted'`), []);
  });
});

const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** A binding whose code is right. */
async function proven(ports: Ports, userId: UserId, address: string) {
  const slot = challengeSlot('email-binding', asEmailKey(address.toLowerCase()), userId);
  await rightAttempt(ports, address, noon, { ...attempt(address, noon), slot });
  return binding(right({ ...attempt(address, noon), slot }), userId, address, noon);
}
