// PostgreSQL set back in time by its archived log, step by step as in docs/backup.md; and a recovery that is killed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../helpers/commands/run-command.ts';
import { connect } from '../helpers/databases/postgres-pair.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/databases/postgres-server.ts';
import { askStore, sqliteFile } from '../helpers/databases/raw-store.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { enter, me, outcomeOf } from '../helpers/people/users.ts';
import { call, refresh } from '../helpers/requests/api.ts';
import { isolatedEnv, spawnMain, startGatehouse } from '../helpers/services/gatehouse.ts';

describe('a database set back in time', { skip: factor === 1 && 'takes half a minute: npm run faults' }, () => {
  it('recover revives nothing in a PostgreSQL set back in time by its archived log', async (test) => {
    const undo = undoAfter(test);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pitr-'));
    undo(async () => rmSync(folder, { recursive: true, force: true }));
    const [archive, base] = [join(folder, 'archive'), join(folder, 'base')];
    mkdirSync(archive);
    for (const place of [folder, archive]) chmodSync(place, 0o777);
    const archiving = ['archive_mode=on', `archive_command=cp %p ${archive}/%f`];
    const postgres = await startPostgresServer({ settings: archiving });
    undo(postgres.end);
    const place = await isolatedEnv('sqlite', { DATABASE_URL: postgres.url });
    undo(place.dispose);
    const client = await connect(postgres);
    await client.query("select pg_backup_start('base', true)");
    execFileSync('cp', ['-a', postgres.data, base]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(base, 'backup_label'), rows[0]?.labelfile ?? '');

    const service = await startGatehouse(place.env);
    const [ann, carl] = [await enter(service.url), await enter(service.url)];
    await sleep(1500);
    const moment = (await client.query<{ now: Date }>('select now() as now')).rows[0]?.now ?? assert.fail();
    await sleep(1500);
    await call(service.url, 'POST', '/api/auth/logout', { token: ann.JWT });
    await call(service.url, 'DELETE', '/api/auth/me', { token: carl.JWT });
    const zoe = await enter(service.url);
    const journal = join(folder, 'journal.jsonl');
    await runCommand(['backup', 'journal', '--append', journal], place.env);
    await service.stop();
    await client.query('select pg_switch_wal()');
    await sleep(1500);
    await client.end();
    await postgres.stop();

    const back = await startPostgresServer({
      home: postgres.home,
      settings: [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${moment.toISOString().replace('T', ' ').replace('Z', '+00')}`,
        'recovery_target_action=promote',
      ],
      fill: async (data) => {
        execFileSync('cp', ['-a', base, data]);
        execFileSync('rm', ['-rf', join(data, 'postmaster.pid')]);
        writeFileSync(join(data, 'recovery.signal'), '');
        if (postgres.runAs.uid !== undefined) execFileSync('chown', ['-R', String(postgres.runAs.uid), data]);
      },
    });
    undo(back.end);
    await untilWritable(back);
    const env = { ...place.env, DATABASE_URL: back.url };
    assert.equal((await askStore(env, 'select id from users')).length, 2, 'carl is there again, and zoe is not');
    const ran = await runCommand(
      ['recover', '--to', moment.toISOString(), '--journal', journal, '--yes', '--json'],
      env,
    );
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(JSON.parse(ran.stdout).applied.users, 1);
    const again = await startGatehouse(env);
    undo(again.stop);
    for (const { JWT, RT } of [ann, carl, zoe]) {
      assert.equal(outcomeOf(await me(again.url, JWT)), '401 ACCESS_TOKEN_INVALID');
      assert.equal(outcomeOf(await refresh(again.url, RT)), '401 SESSION_REVOKED');
    }
    await enter(again.url, ann.phone);
  });

  it('a killed recover leaves the database unchanged or recovered, and the next run recovers it', async (test) => {
    const undo = undoAfter(test);
    const place = await isolatedEnv('sqlite');
    undo(place.dispose);
    const service = await startGatehouse(place.env);
    await enter(service.url);
    await enter(service.url);
    await service.stop();
    const past = join(String(place.env.DATA_DIR), 'past.db');
    copyFileSync(sqliteFile(place.env), past);
    const journal = join(String(place.env.DATA_DIR), 'journal.jsonl');
    const [user] = await askStore(place.env, 'select id from users order by id limit 1');
    writeFileSync(journal, `${JSON.stringify({ kind: 'user.deleted', id: user?.id, at: Date.now() })}\n`);
    const args = ['recover', '--to', '2026-01-01T00:00:00Z', '--journal', journal, '--yes', '--json'];
    const seen = { before: 0, after: 0 };
    for (let round = 0; round < rounds(0.3); round++) {
      for (const end of ['-wal', '-shm']) rmSync(`${sqliteFile(place.env)}${end}`, { force: true });
      copyFileSync(past, sqliteFile(place.env));
      const { child, ended } = spawnMain(args, place.env);
      await sleep(50 + ((round * 97) % 1500));
      child.kill('SIGKILL');
      await ended;
      const sessions = (await askStore(place.env, 'select id from sessions')).length;
      const events = (await askStore(place.env, "select id from audit_events where kind = 'database.recovered'"))
        .length;
      assert.deepEqual([sessions, events], sessions === 0 ? [0, 1] : [2, 0]);
      seen[sessions === 0 ? 'after' : 'before'] += 1;
      assert.equal((await runCommand(args, place.env)).code, 0);
      assert.equal((await askStore(place.env, 'select id from sessions')).length, 0);
      assert.equal((await askStore(place.env, 'select id from users')).length, 1);
    }
    test.diagnostic(`killed before its commit ${seen.before} times, after it ${seen.after} times`);
  });
});

/** The server can be read before it reaches its target time, so this waits until it accepts writes. */
async function untilWritable(server: PostgresServer): Promise<void> {
  const client = await connect(server);
  for (let round = 0; round < 1200; round++) {
    const { rows } = await client.query<{ isAway: boolean }>('select pg_is_in_recovery() as "isAway"');
    if (rows[0]?.isAway === false) return client.end();
    await sleep(50);
  }
  throw new Error('the recovery does not reach its target time');
}
