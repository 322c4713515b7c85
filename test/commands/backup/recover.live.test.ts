// A database set back in time: without `recover`, ended sessions and deleted data are valid again; after it, none are.

import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, mock as mocker } from 'node:test';
import pg from 'pg';
import type { CommandInput } from '../../../src/commands/declarations.ts';
import type { Store } from '../../../src/store/store.ts';
import { deleteFile, fetchFile, type Kept, keepFile, listIds } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { askStore, sqliteFile } from '../../helpers/databases/raw-store.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  me,
  newAddress,
  outcomeOf,
  redeem,
  sendLink,
} from '../../helpers/people/users.ts';
import { call, newPhone, type Pair, refresh } from '../../helpers/requests/api.ts';
import {
  isolatedEnv,
  type StoreKind,
  startGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';
import { runHere } from './run-here.ts';

type UserRecord = Pair & { phone: string };

for (const kind of tierStoreKinds) {
  describe(`a database on ${kind} that was set back in time`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-recover-'));
    const journal = join(folder, 'journal.jsonl');
    const address = newAddress();
    const phones = { dora: newPhone(), eve: newPhone() };
    let place: Awaited<ReturnType<typeof isolatedEnv>>;
    let past: Past;
    let ann: UserRecord;
    let carl: UserRecord;
    let zoe: UserRecord;
    let kept: Kept;
    let deleted: Kept;
    let eveId = asUserId('');
    let usedCode = '';
    let usedLink = '';
    let moment = '';

    const on = async (work: (url: string, store: Store) => Promise<void>) => {
      const { url, service, stop } = await startGatehouse(place.env);
      await work(url, service.store).finally(stop);
    };
    const act = (store: Store, what: 'block' | 'unblock') =>
      store.call('directory.actOn', { userId: eveId, act: what, by: { actor: 'cli', why: 'fraud' }, now: Date.now() });
    const recover = (...more: string[]) => runCommand(['recover', '--to', moment, '--json', ...more], place.env);

    before(async () => {
      place = await isolatedEnv(kind, {
        SECRET: 'the same secret before and after the database was set back',
        TRASH_LIFE: '0',
      });
      await on(async (url) => {
        ann = await enter(url);
        await bindAddress(url, ann.JWT, address);
        kept = await keepFile(url, ann.JWT);
        deleted = await keepFile(url, ann.JWT);
        carl = await enter(url);
        await keepFile(url, carl.JWT);
        const eve = await enter(url, phones.eve);
        eveId = (await me(url, eve.JWT)).body.data.id;
        usedCode = await askForCode(url, phones.dora);
        usedLink = await askForLink(url, address);
      });
      await askStore(
        place.env,
        "insert into outbox values ('0', 'sms', 'otp', '{}', 'queued', 0, 0, 0, 0, 9999999999999, null, null)",
      );
      past = await rememberPast(kind, place.env, folder);
      moment = new Date().toISOString();
      assert.match(await saying(() => runHere('backup journal', place.env, { append: journal })), /: 0 entries added/);
      await on(async (url, store) => {
        zoe = await enter(url);
        await redeem(url, usedLink);
        await call(url, 'POST', '/api/auth/phone/login', { body: { phone: phones.dora, otp: usedCode } });
        await bindAddress(url, ann.JWT, newAddress());
        await deleteFile(url, ann.JWT, deleted.id);
        assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/logout', { token: ann.JWT })), '200');
        assert.equal(outcomeOf(await call(url, 'DELETE', '/api/auth/me', { token: carl.JWT })), '200');
        await act(store, 'block');
      });
      assert.match(await saying(() => runHere('backup journal', place.env, { append: journal })), /: 4 entries added/);
      await past.comeBack();
    });
    after(async () => {
      await past.forget();
      await place.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    it('without recover, a database set back in time revives the ended session, the deleted account and the used link', async () => {
      await on(async (url) => {
        assert.equal(outcomeOf(await refresh(url, ann.RT)), '200');
        assert.equal(outcomeOf(await me(url, carl.JWT)), '200');
        assert.equal(outcomeOf(await redeem(url, usedLink)), '200');
        const refused = await recover('--yes');
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, /A service uses this database/);
      });
      await past.comeBack();
    });

    const once = { skip: kind !== 'sqlite' && 'the same on both databases' };

    it(
      'recover changes nothing without --yes, with an invalid time, or with a journal that cannot be read',
      once,
      async () => {
        const bad = join(folder, 'bad.jsonl');
        writeFileSync(bad, 'rubbish\nmore\n');
        writeFileSync(`${bad}.far`, '{"kind":"mark","at":1e300}\n');
        const none = { to: moment, journal: undefined, yes: false, force: false, unauthenticated: false, json: false };
        const cases: readonly (readonly [RegExp, Partial<CommandInput<'recover'>>])[] = [
          [/Add --yes/, {}],
          [/is in the future/, { to: '2999-01-01T00:00:00Z', yes: true }],
          [/with its time zone/, { to: '2027-01-31', yes: true }],
          [/line that cannot be read/, { yes: true, journal: bad }],
          [/line that cannot be read/, { yes: true, journal: `${bad}.far` }],
          [/cannot be read/, { yes: true, journal: join(folder, 'none') }],
          // A pipe can be read only once, so nothing would be left when the journal is applied.
          [/takes a file/, { yes: true, journal: '/dev/null' }],
          [/with its time zone/, { to: '2026-02-31T00:00:00Z', yes: true }],
        ];
        for (const [says, options] of cases) {
          assert.match(
            await saying(async () => assert.equal(await runHere('recover', place.env, { ...none, ...options }), 1)),
            says,
          );
        }
        assert.ok((await askStore(place.env, 'select id from sessions')).length > 0);
      },
    );

    it('recover revives no session, token, code, link, account, file or e-mail address, and restores the block', async () => {
      // A machine that stops in the middle of a write leaves such a line.
      appendFileSync(journal, '{"kind":"user.del');
      const ran = await recover('--yes', '--journal', journal);
      assert.equal(ran.code, 0, ran.stderr);
      const { ended, applied } = JSON.parse(ran.stdout);
      assert.equal(ended.sessions, 3);
      assert.deepEqual(applied, { users: 1, files: 2, blocks: 1, addresses: 1, left: 0 });
      assert.deepEqual(await askStore(place.env, 'select id from outbox'), [], 'nothing is sent again');
      await on(async (url, store) => {
        for (const { JWT, RT } of [ann, carl, zoe]) {
          assert.equal(outcomeOf(await me(url, JWT)), '401 ACCESS_TOKEN_INVALID');
          assert.equal(outcomeOf(await refresh(url, RT)), '401 SESSION_REVOKED');
        }
        assert.equal(outcomeOf(await redeem(url, usedLink)), '400 LINK_INVALID');
        const again = { body: { phone: phones.dora, otp: usedCode } };
        assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/phone/login', again)), '400 OTP_INVALID');
        const back = await enter(url, ann.phone);
        assert.deepEqual(await fetchFile(url, back.JWT, kept.id), kept.bytes);
        assert.deepEqual(await listIds(url, back.JWT), [kept.id]);
        assert.equal((await me(url, back.JWT)).body.data.email, null);
        assert.equal(outcomeOf(await sendLink(url, address)), '200');
        const eve = { body: { phone: phones.eve, otp: await askForCode(url, phones.eve) } };
        assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/phone/login', eve)), '403 USER_BLOCKED');
        await act(store, 'unblock');
      });
    });

    it('a second recover changes nothing: users who signed in since stay signed in, and unblocked users stay unblocked', async () => {
      const ran = await recover('--yes', '--journal', journal);
      assert.equal(ran.code, 0, ran.stderr);
      const { ended, applied } = JSON.parse(ran.stdout);
      assert.deepEqual([ended, applied], [null, { users: 0, files: 0, blocks: 0, addresses: 0, left: 0 }]);
      const events = await askStore(place.env, "select id from audit_events where kind = 'database.recovered'");
      assert.equal(events.length, 1);
      const sessions = await askStore(place.env, 'select id from sessions where ended_at is null');
      assert.equal(sessions.length, 1, 'the one of ann');
      assert.deepEqual(await askStore(place.env, 'select id from users where blocked_at is not null'), []);
    });

    it('backup journal appends where the journal ended and drops a line that was cut off', once, async () => {
      appendFileSync(journal, '{"kind":"user.del');
      const before = readFileSync(journal, 'utf8');
      await saying(() => runHere('backup journal', place.env, { append: journal }));
      const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
      const kinds = lines.map((line) => JSON.parse(line).kind);
      assert.equal(kinds.at(-1), 'mark');
      assert.equal(new Set(lines).size, lines.length, 'no entry is written twice');
      assert.ok(before.startsWith(lines.slice(0, 4).join('\n')), 'what was written stays');
      assert.ok(kinds.includes('user.unblocked'));
      const noted = await askStore(place.env, "select slot from counters where slot = 'journal'");
      assert.equal(noted.length, 1, 'the metrics know when');
      const other = join(folder, 'other');
      writeFileSync(other, 'this file is not a journal of the service');
      assert.match(await saying(() => runHere('backup journal', place.env, { append: other })), /is not a journal/);
      assert.equal(readFileSync(other, 'utf8'), 'this file is not a journal of the service');
    });

    it('set back once more, does not revive the removed address with a journal written since', once, async () => {
      const anew = join(folder, 'anew.jsonl');
      await saying(() => runHere('backup journal', place.env, { append: anew }));
      await past.comeBack();
      const ran = await recover('--yes', '--journal', anew);
      assert.equal(ran.code, 0, ran.stderr);
      assert.equal(JSON.parse(ran.stdout).applied.addresses, 1);
      assert.deepEqual(await askStore(place.env, 'select id from users where email is not null'), []);
    });
  });
}

/** The text that a command in this process writes to stderr. */
async function saying(work: () => Promise<unknown>): Promise<string> {
  let text = '';
  const { mock } = mocker.method(process.stderr, 'write', (chunk: unknown) => {
    text += String(chunk);
    return true;
  });
  await work().finally(() => mock.restore());
  return text;
}

type Past = { comeBack(): Promise<void>; forget(): Promise<void> };

/** Copies the database as a physical backup would; `comeBack` sets the database back to that copy. */
async function rememberPast(kind: StoreKind, env: TestEnv, folder: string): Promise<Past> {
  if (kind === 'sqlite') {
    const copy = join(folder, 'past.db');
    copyFileSync(sqliteFile(env), copy);
    return {
      comeBack: async () => {
        for (const end of ['-wal', '-shm']) rmSync(`${sqliteFile(env)}${end}`, { force: true });
        copyFileSync(copy, sqliteFile(env));
      },
      forget: async () => undefined,
    };
  }
  const url = new URL(env.DATABASE_URL ?? '');
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const execute = async (...texts: string[]) => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };
  await execute(`create database ${name}_past template ${name}`);
  return {
    comeBack: () => execute(`drop database ${name} with (force)`, `create database ${name} template ${name}_past`),
    forget: () => execute(`drop database if exists ${name}_past`),
  };
}
