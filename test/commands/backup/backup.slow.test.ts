// A backup taken under load and restored elsewhere: kept data is there, and ended sessions and deleted data stay so.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { markName } from '../../../src/files/storage/blob-store.ts';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';
import { deleteFile, fetchFile, type Kept, keepBusy, keepFile, listIds } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { installationIdOf } from '../../helpers/people/ids.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  me,
  newAddress,
  outcomeOf,
  redeem,
} from '../../helpers/people/users.ts';
import { call, newPhone, type Pair, refresh } from '../../helpers/requests/api.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  spawnGatehouse,
  storeKinds,
  type TestEnv,
} from '../../helpers/services/gatehouse.ts';

const secret = 'the same secret at both places, so that the secret does not invalidate tokens';

for (const kind of storeKinds) {
  const otherKind = kind === 'sqlite' ? 'postgres' : 'sqlite';
  describe(`a backup taken under load on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
    const backup = join(folder, 'backup');
    const journal = join(folder, 'journal.jsonl');
    const address = newAddress();
    const phones = { ann: newPhone(), carl: newPhone(), dora: newPhone(), eve: newPhone() };
    const places: { env: TestEnv; dispose(): Promise<void> }[] = [];
    let ann: Pair & { phone: string };
    let annId = '';
    let kept: Kept;
    let deletedFile: Kept;
    let carlsFile: Kept;
    let usedCode = '';
    let usedLink = '';

    const place = async (at: 'sqlite' | 'postgres'): Promise<TestEnv> => {
      const made = await isolatedEnv(at, { SECRET: secret, TRASH_LIFE: '0' });
      places.push(made);
      return made.env;
    };
    const on = async (env: TestEnv, work: (service: GatehouseProcess) => Promise<void>) => {
      const service = await spawnGatehouse(env);
      try {
        await work(service);
      } finally {
        await service.stop('SIGKILL');
      }
    };

    before(async () => {
      const env = await place(kind);
      await on(env, async ({ url }) => {
        ann = await enter(url, phones.ann);
        annId = (await me(url, ann.JWT)).body.data.id;
        await bindAddress(url, ann.JWT, address);
        kept = await keepFile(url, ann.JWT);
        deletedFile = await keepFile(url, ann.JWT);
        const carl = await enter(url, phones.carl);
        carlsFile = await keepFile(url, carl.JWT);
        await enter(url, phones.eve);
        // The code and the link are requested before the backup and used after it.
        usedCode = await askForCode(url, phones.dora);
        usedLink = await askForLink(url, address);
        const busy = keepBusy(url, 4);
        const ran = await runCommand(['backup', 'create', '--to', backup, '--json'], env);
        const rounds = await busy.stop();
        assert.equal(ran.code, 0, ran.stderr);
        assert.ok(rounds > 0);
        assert.match(ran.stderr, /^Backup: \d+ (of \d+ )?files, /m);
        const made = JSON.parse(ran.stdout) as { files: { count: number }; damaged: string[] };
        assert.deepEqual(made.damaged, []);
        assert.ok(made.files.count >= 3, ran.stdout);
        assert.equal(
          outcomeOf(await call(url, 'POST', '/api/auth/phone/login', { body: { phone: phones.dora, otp: usedCode } })),
          '200',
        );
        assert.equal(outcomeOf(await redeem(url, usedLink)), '200');
        assert.equal(outcomeOf(await deleteFile(url, ann.JWT, deletedFile.id)), '200');
        assert.equal(outcomeOf(await call(url, 'DELETE', '/api/auth/me', { token: carl.JWT })), '200');
      });
      const block = ['users', 'block', phones.eve, '--reason', 'fraud'];
      assert.equal((await runCommand(block, env)).code, 0);
      const ran = await runCommand(['backup', 'journal'], env);
      assert.equal(ran.code, 0, ran.stderr);
      writeFileSync(journal, ran.stdout);
    });
    after(async () => {
      for (const { dispose } of places) await dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    it('a backup taken under load is complete and contains no session, code or key', async () => {
      const { code, stdout } = await runCommand(['backup', 'verify', backup, '--json'], {});
      assert.equal(code, 0, stdout);
      const { isWhole, rows } = JSON.parse(stdout) as { isWhole: boolean; rows: Record<string, number> };
      assert.equal(isWhole, true);
      const kept = ['audit_events', 'file_readers', 'files', 'installation', 'limits', 'users'];
      assert.deepEqual(Object.keys(rows).toSorted(), kept);
      assert.deepEqual(readdirSync(backup).toSorted(), ['database.jsonl.gz', 'files', 'files.jsonl', 'manifest.json']);
    });

    it('a backup restored elsewhere with its journal has all kept data and revives nothing that was used, ended or deleted', async () => {
      const env = await place(kind);
      // An operator may run these first. Neither makes the target count as used.
      assert.equal((await runCommand(['migrate', 'up'], env)).code, 0);
      assert.equal((await runCommand(['doctor'], env)).code, 0);
      const ran = await runCommand(['restore', backup, '--yes', '--journal', journal, '--json'], env);
      assert.equal(ran.code, 0, ran.stderr);
      await on(env, async ({ url }) => {
        assert.equal(outcomeOf(await me(url, ann.JWT)), '401 ACCESS_TOKEN_INVALID');
        assert.equal(outcomeOf(await refresh(url, ann.RT)), '401 SESSION_REVOKED');
        const again = { body: { phone: phones.dora, otp: usedCode } };
        assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/phone/login', again)), '400 OTP_INVALID');
        assert.equal(outcomeOf(await redeem(url, usedLink)), '400 LINK_INVALID');
        const { JWT } = await enter(url, phones.ann);
        assert.equal((await me(url, JWT)).body.data.id, annId);
        assert.deepEqual(await fetchFile(url, JWT, kept.id), kept.bytes);
        assert.deepEqual(await listIds(url, JWT), [kept.id]);
        const carl = await enter(url, phones.carl);
        assert.deepEqual(await listIds(url, carl.JWT), []);
        assert.equal(await fetchFile(url, carl.JWT, carlsFile.id), undefined);
        const eve = { body: { phone: phones.eve, otp: await askForCode(url, phones.eve) } };
        assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/phone/login', eve)), '403 USER_BLOCKED');
        await keepFile(url, JWT);
      });
      const check = await runCommand(['files', 'check', '--json'], env);
      assert.equal(check.code, 0, check.stdout);
    });

    it(`a backup taken on ${kind} can be restored on ${otherKind} and S3`, async () => {
      const s3 = await startS3Server();
      const env = { ...(await place(otherKind)), STORAGE_URL: s3.url() };
      const ran = await runCommand(['restore', backup, '--yes'], env);
      assert.equal(ran.code, 0, ran.stderr);
      assert.match(ran.stderr, /Deletions and blocks after .* are undone/);
      await on(env, async ({ url }) => {
        const { JWT } = await enter(url, phones.ann);
        assert.deepEqual(await fetchFile(url, JWT, kept.id), kept.bytes);
      });
      await s3.stop();
    });

    it('restore refuses a database that is not empty, and a call without --yes', async () => {
      const [{ env } = assert.fail()] = places;
      const full = await runCommand(['restore', backup, '--yes'], env);
      assert.equal(full.code, 1);
      assert.match(full.stderr, /The database is not empty/);
      const asked = await runCommand(['restore', backup], await place('sqlite'));
      assert.equal(asked.code, 1);
      assert.match(asked.stderr, /Add --yes to do it/);
    });

    it('a backup without files is restored next to the existing storage, and files deleted there stay deleted', async () => {
      const [{ env: old } = assert.fail()] = places;
      const bare = join(folder, 'bare');
      await on(old, async ({ url }) => {
        const { JWT } = await enter(url, phones.ann);
        const doomed = await keepFile(url, JWT);
        const made = await runCommand(['backup', 'create', '--to', bare, '--db-only'], old);
        assert.equal(made.code, 0, made.stderr);
        assert.equal(outcomeOf(await deleteFile(url, JWT, doomed.id)), '200');
        deletedFile = doomed;
      });
      const fresh = await place(kind);
      const missing = await runCommand(['restore', bare, '--yes'], fresh);
      assert.match(missing.stderr, /the storage has none of the files that it names/);
      const { DATA_DIR = '' } = fresh;
      rmSync(DATA_DIR, { recursive: true });
      const { DATA_DIR: oldDir = '' } = old;
      const moved = { ...fresh, DATA_DIR: oldDir };
      if (kind === 'sqlite')
        for (const end of ['', '-wal', '-shm']) rmSync(join(oldDir, `gatehouse.db${end}`), { force: true });
      const ran = await runCommand(['restore', bare, '--yes'], moved);
      assert.equal(ran.code, 0, ran.stderr);
      await on(moved, async ({ url }) => {
        const { JWT } = await enter(url, phones.ann);
        assert.deepEqual(await fetchFile(url, JWT, kept.id), kept.bytes);
        assert.ok(!(await listIds(url, JWT)).includes(deletedFile.id));
      });
    });
  });
}

describe('a damaged backup', () => {
  it('verify reports a damaged backup, and restore refuses it before it changes anything', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const elsewhere = await isolatedEnv('sqlite');
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
    try {
      const service = await spawnGatehouse(env);
      const { JWT } = await enter(service.url);
      const { id } = await keepFile(service.url, JWT);
      await keepFile(service.url, JWT);
      const backup = join(folder, 'backup');
      assert.equal((await runCommand(['backup', 'create', '--to', backup], env)).code, 0);
      const second = await runCommand(['backup', 'create', '--to', backup], env);
      assert.match(second.stderr, /is not empty/);
      await service.stop();
      const list = readFileSync(join(backup, 'files.jsonl'), 'utf8').trimEnd().split('\n');
      const { sha256 } = list.map((line) => JSON.parse(line)).find((file) => file.id === id);
      const [blob = assert.fail()] = readdirSync(join(backup, 'files'), { recursive: true, encoding: 'utf8' }).filter(
        (path) => path.endsWith(sha256),
      );
      const path = join(backup, 'files', blob);
      const bytes = readFileSync(path);
      writeFileSync(path, 'other bytes');
      const verified = await runCommand(['backup', 'verify', backup], env);
      assert.equal(verified.code, 1);
      assert.match(verified.stdout, new RegExp(`${id} is missing or damaged`));
      const restored = await runCommand(['restore', backup, '--yes'], elsewhere.env);
      assert.equal(restored.code, 1);
      assert.match(restored.stderr, /missing or damaged/);
      const files = join(elsewhere.env.DATA_DIR ?? '', 'files');
      assert.ok(!existsSync(files), 'nothing is copied');
      // A storage with files of another installation is refused.
      const mark = join(files, markName);
      mkdirSync(files);
      writeFileSync(mark, `${installationIdOf('somebody')}\n`);
      const beside = await runCommand(['restore', backup, '--yes'], elsewhere.env);
      assert.equal(beside.code, 1);
      assert.match(beside.stderr, /The storage belongs to the installation ins_somebody/);
      rmSync(mark);
      writeFileSync(path, bytes);
      const again = await runCommand(['restore', backup, '--yes'], elsewhere.env);
      assert.equal(again.code, 0, again.stderr);
      const own = readFileSync(join(env.DATA_DIR ?? '', 'files', markName), 'utf8');
      const [row] = await askStore(elsewhere.env, 'select id from installation');
      assert.equal(readFileSync(mark, 'utf8'), `${String(row?.id)}\n`);
      assert.notEqual(own, readFileSync(mark, 'utf8'), 'a copy is not the original');
      rmSync(join(backup, 'manifest.json'));
      assert.match((await runCommand(['backup', 'verify', backup], env)).stderr, /is not a finished backup/);
    } finally {
      await dispose();
      await elsewhere.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
