// Checks a whole store after many faults: no duplicate users, no orphans, exact quotas, all messages sent, matching files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOld } from '../../helpers/blobs/blobs.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { spawnMain, type TestEnv } from '../../helpers/services/gatehouse.ts';

/** Rows that must not exist, by what they would mean. */
const impossible: Readonly<Record<string, string>> = {
  'a phone with two users': 'select phone from users group by phone having count(*) > 1',
  'an e-mail address with two users':
    'select lower(email) from users where email is not null group by lower(email) having count(*) > 1',
  'a session without its user': 'select id from sessions where user_id not in (select id from users)',
  'a file without its user': 'select id from files where user_id not in (select id from users)',
  'a file without its usage': 'select id from files where user_id not in (select user_id from file_usage)',
  'usage that is not the sum of the files': `select u.user_id from file_usage u
    left join (select user_id, count(*) as files, sum(size) as bytes from files group by user_id) f on f.user_id = u.user_id
    where u.files <> coalesce(f.files, 0) or u.bytes <> coalesce(f.bytes, 0)`,
};

/** Needs a running service, which sends the waiting messages. */
export async function settle(env: TestEnv): Promise<void> {
  for (const [meaning, text] of Object.entries(impossible)) assert.deepEqual(await askStore(env, text), [], meaning);
  const owed = async () =>
    Number((await askStore(env, "select count(*) as n from outbox where state <> 'parked'"))[0]?.n);
  for (let round = 0; (await owed()) > 0 && round < 450; round++) await sleep(100);
  assert.equal(await owed(), 0, 'I7: every message that was promised was sent');
  // A message whose sending was killed twice may have arrived twice. It is parked for the operator and not sent again.
  const twice = 'sent twice without a known outcome';
  const parked = await askStore(
    env,
    `select last_error from outbox where state = 'parked' and last_error <> '${twice}'`,
  );
  assert.deepEqual(parked, [], 'I7: none was given up');
  if (env.DATABASE_URL === undefined)
    assert.equal((await askStore(env, 'pragma integrity_check'))[0]?.integrity_check, 'ok');
}

/** Needs a stopped service: blobs and records match after a sweep of blobs that no upload can own. */
export async function matchFiles(env: TestEnv): Promise<number> {
  makeOld(join(env.DATA_DIR ?? '', 'files'));
  const { missing, removed } = await check(env, ['--repair', '--yes']);
  assert.deepEqual(missing, [], 'I5: a record without its blob');
  const again = await check(env, []);
  assert.deepEqual([again.missing, again.adrift], [[], []], 'I8: nothing is adrift after the sweep');
  return removed;
}

async function check(env: TestEnv, more: string[]) {
  const { output, ended } = spawnMain(['files', 'check', '--json', ...more], env);
  await ended;
  return JSON.parse(output().stdout) as { missing: string[]; adrift: string[]; removed: number };
}
