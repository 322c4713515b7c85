// A connection to PostgreSQL lost around a commit: the call returns the true outcome, and nothing is done twice.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { budgetIds } from '../../../src/auth/codes/attempt-budget.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { createPorts, type Ports } from '../../../src/store/ports.ts';
import { isConnectionLoss, isStoreProblem } from '../../../src/store/postgres/postgres-errors.ts';
import { openPostgresPool } from '../../../src/store/postgres/postgres-pool.ts';
import type { Store } from '../../../src/store/store.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { type Cut, startTcpProxy, type TcpProxy } from '../../helpers/requests/tcp-proxy.ts';
import {
  attempt,
  codeRequest,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionPolicy,
  signIn,
  tryCode,
} from '../../helpers/store/fixtures.ts';
import { openNode } from '../../helpers/store/open-node.ts';
import { openTestStore, type TestStore } from '../../helpers/store/test-store.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

/** The simple query “commit” as bytes on the wire. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0');

describe('a connection to PostgreSQL that is lost', () => {
  let direct: TestStore;
  let proxy: TcpProxy;
  let store: Store;
  let ports: Ports;
  before(async () => {
    direct = await openTestStore('postgres');
    const url = new URL(direct.address);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    store = await openNode('postgres', url.href);
    ports = createPorts(store);
  });
  after(async () => {
    await store.close();
    await proxy.close();
    await direct.end();
  });

  const phonesOf = async (userId: UserId) => (await direct.rows('users')).filter(({ id }) => id === userId);
  /** Makes the call and loses its connection at the commit. */
  const losing = async <T>(cut: Cut, call: () => Promise<T>): Promise<T> => {
    const isCut = proxy.cutAt(commit, cut);
    const [value] = await Promise.all([call(), isCut]);
    return value;
  };

  for (const cut of ['unanswered', 'unsent'] as const) {
    describe(`a connection lost with its commit ${cut}`, () => {
      it(`a sign-in whose connection is lost with the commit ${cut} is done once`, async () => {
        const phone = newPhone();
        const input = phoneSignIn(await rightAttempt(direct.ports, phone, noon), phone, noon);
        const outcome = await losing(cut, () => ports.signIns.signInWithPhone(input));
        const known = { userId: input.newUserId, phone, claims: {} };
        const expected = { kind: 'signed in', ...known, isNewUser: true, hasNotice: false };
        assert.deepEqual(outcome, { ...expected, evicted: [] });
        assert.equal((await phonesOf(input.newUserId)).length, 1);
        const sessions = (await direct.rows('sessions')).filter((session) => session.user_id === input.newUserId);
        assert.deepEqual(
          sessions.map(({ id }) => id),
          [input.session.id],
        );
        const events = (await direct.rows('audit_events')).filter((event) => event.user_id === input.newUserId);
        assert.deepEqual(events.map(({ kind }) => kind).toSorted(), ['login.succeeded', 'user.created']);
        assert.equal((await ports.signIns.signInWithPhone(input)).kind, 'lost');
      });

      it(`a wrong code whose connection is lost with the commit ${cut} is counted once`, async () => {
        const phone = newPhone();
        const rules = { failuresPerRecipient: [{ count: 9, windowSeconds: 60 }] };
        assert.deepEqual(await losing(cut, () => tryCode(ports, attempt(phone, noon, rules))), { left: 4 });
        const { slot } = attempt(phone, noon);
        const { failuresId } = budgetIds(phone);
        assert.equal((await direct.rows('challenges')).find((row) => row.slot === slot)?.attempts, 1);
        assert.equal((await direct.rows('limits')).find((row) => row.id === failuresId)?.hits, `[${noon}]`);
      });

      it(`a send request whose connection is lost with the commit ${cut} queues and counts one message`, async () => {
        const policy = { perRecipient: [{ count: 9, windowSeconds: 60 }] };
        const request = codeRequest(newPhone(), noon, { policy, captcha: { id: newPhone(), sweepAt: noon } });
        assert.equal(await losing(cut, () => ports.sendRequests.request(request)), undefined);
        const queued = (await direct.rows('outbox')).filter(({ id }) => id === request.message?.id);
        assert.equal(queued.length, 1);
        const refusal = await ports.sendRequests.request({ ...request, message: undefined });
        assert.equal(refusal?.code, 'CAPTCHA_INVALID');
        assert.ok((await direct.rows('limits')).some(({ hits }) => hits === `[${noon}]`));
      });

      it(`a rotation whose connection is lost with the commit ${cut} raises the counter once`, async () => {
        const { session } = await signIn(direct.ports, newPhone(), noon);
        const { id: sessionId, seedHash } = session;
        const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon };
        const outcome = await losing(cut, () => ports.sessions.rotate(rotation));
        assert.equal(outcome.kind === 'renewed' && outcome.counter, 1);
        assert.equal((await direct.rows('sessions')).find(({ id }) => id === sessionId)?.counter, 1);
      });

      it(`an audit event whose connection is lost with the commit ${cut} is written once`, async () => {
        const detail = { mark: newPhone() };
        await losing(cut, () => store.call('audit.record', { kind: 'otp.requested', detail, now: noon }));
        const events = (await direct.rows('audit_events')).filter((event) => event.detail === JSON.stringify(detail));
        assert.equal(events.length, 1);
      });

      it(`every call of a batch whose connection is lost with the commit ${cut} is answered`, async () => {
        const phones = Array.from({ length: 40 }, newPhone);
        const attempts = await Promise.all(phones.map((phone) => rightAttempt(direct.ports, phone, noon)));
        const inputs = phones.map((phone, index) => phoneSignIn(attempts[index] ?? assert.fail(), phone, noon));
        const all = await losing(cut, () => Promise.all(inputs.map((input) => ports.signIns.signInWithPhone(input))));
        assert.ok(all.every(({ kind }) => kind === 'signed in'));
        const ids = new Set((await direct.rows('sessions')).map(({ id }) => id));
        assert.ok(inputs.every(({ session }) => ids.has(session.id)));
      });

      it(`a call finds its outcome after an outage that started with the commit ${cut}`, async () => {
        const phone = newPhone();
        const input = phoneSignIn(await rightAttempt(direct.ports, phone, noon), phone, noon);
        const isCut = proxy.cutAt(commit, cut).then(async () => {
          proxy.refuse(true);
          proxy.cutAll();
          await sleep(900);
          proxy.refuse(false);
        });
        const [outcome] = await Promise.all([ports.signIns.signInWithPhone(input), isCut]);
        assert.equal(outcome.kind, 'signed in');
        assert.equal((await phonesOf(input.newUserId)).length, 1);
      });
    });
  }

  it('the receipt of a commit stays for an hour of the database, however far the clock of the node is behind', async (t) => {
    const real = Date.now;
    t.mock.method(Date, 'now', () => real() - 7_200_000);
    await direct.query('delete from receipts');
    await signIn(ports, newPhone(), noon);
    const oldest = 'select min(sweep_at) - extract(epoch from now()) * 1000 as left from receipts';
    const [row] = await direct.query(oldest);
    const left = Number((row as { left: unknown } | undefined)?.left);
    assert.ok(left > 3_500_000 && left < 3_700_000, `${left} ms`);
  });

  it('a call without a database fails with SERVICE_UNAVAILABLE', async () => {
    proxy.refuse(true);
    proxy.cutAll();
    const calls = [
      ports.users.findUser(asUserId('nobody')),
      ports.outbox.finish('none'),
      ports.outbox.measure(),
      store.ping(),
    ];
    for (const result of await Promise.allSettled(calls)) {
      assert.equal(result.status, 'rejected');
      assert.equal(result.reason.code, 'SERVICE_UNAVAILABLE');
      assert.equal(result.reason.detail.retryAfterSeconds, 1);
    }
    proxy.refuse(false);
    await waitUntil('the database answers again', () =>
      ports.users.findUser(asUserId('nobody')).then(
        () => true,
        () => false,
      ),
    );
  });

  it('a pool keeps using its open connection while new connections are refused', async () => {
    const url = new URL(direct.address);
    url.port = String(proxy.port);
    const pool = openPostgresPool(url.href, []);
    await pool.query('select 1');
    const { idle } = pool.connections();
    assert.equal(idle, 1);
    proxy.refuse(true);
    const all = await Promise.allSettled(Array.from({ length: idle + 1 }, () => pool.query('select pg_sleep(0.1)')));
    assert.equal(all.filter(({ status }) => status === 'rejected').length, 1);
    await pool.query('select 1');
    proxy.refuse(false);
    await pool.end();
  });

  it('no sign-in is lost or doubled when connections break at any moment', async () => {
    const signedIn: string[] = [];
    let isOver = false;
    const writer = async () => {
      while (!isOver) {
        const phone = newPhone();
        const given = await rightAttempt(direct.ports, phone, noon);
        const input = phoneSignIn(given, phone, noon);
        const outcome = await ports.signIns.signInWithPhone(input).catch((error: { code: string }) => error.code);
        if (typeof outcome === 'string') assert.equal(outcome, 'SERVICE_UNAVAILABLE');
        else {
          assert.equal(outcome.kind, 'signed in');
          signedIn.push(input.session.id);
        }
      }
    };
    const writers = Array.from({ length: 8 }, writer);
    for (let round = 0; round < 40 || (signedIn.length < 100 && round < 400); round++) {
      // On a busy machine a connection needs longer than that to be made, and nothing would get through at all.
      await sleep(Math.random() * (60 + round));
      proxy.cutAll();
    }
    isOver = true;
    await Promise.all(writers);
    // A commit whose client is gone may still be running.
    const busy =
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'";
    await waitUntil('no commit is running', async () => (await direct.query(busy)).length === 0);
    const sessions = await direct.rows('sessions');
    const ids = new Set(sessions.map(({ id }) => id));
    assert.ok(signedIn.length > 0);
    assert.deepEqual(
      signedIn.filter((id) => !ids.has(asSessionId(id))),
      [],
    );
    const events = (await direct.rows('audit_events')).filter(({ kind }) => kind === 'login.succeeded');
    assert.equal(events.length, sessions.length);
  });

  it('a receipt that PostgreSQL cannot store for lack of space makes the call unavailable, and its cause is reported', async () => {
    await direct.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$`);
    await direct.query('create trigger refuse before insert on receipts for each row execute function refuse()');
    const troubles = direct.troubles.length;
    // One call reads before it writes, the other writes without a read.
    const calls = [
      tryCode(direct.ports, attempt(newPhone(), noon)),
      direct.store.call('audit.record', { kind: 'otp.requested', detail: {}, now: noon }),
    ];
    for (const result of await Promise.allSettled(calls)) {
      assert.equal(result.status, 'rejected');
      assert.equal(result.reason.code, 'SERVICE_UNAVAILABLE');
    }
    assert.deepEqual(
      direct.troubles.slice(troubles).map(({ message }) => message),
      ['no room', 'no room'],
    );
    await direct.query('drop trigger refuse on receipts');
    assert.deepEqual(await tryCode(direct.ports, attempt(newPhone(), noon)), { left: 4 });
  });

  it('a broken pipe is recognised as a lost connection by its kind, not by the form of its code', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    assert.ok(isConnectionLoss(broken) && isStoreProblem(broken));
  });
});
