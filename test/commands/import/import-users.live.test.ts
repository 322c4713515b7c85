// The commands import users and export users: dry run, report, repetition, resume, and a round trip into another installation.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { importedPhone, writeFirebaseFile } from '../../helpers/imports/firebase-file.ts';
import { enter, me } from '../../helpers/people/users.ts';
import { run } from '../../helpers/services/command-line.ts';
import {
  isolatedEnv,
  spawnGatehouse,
  spawnMain,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const fixture = (name: string) => new URL(`../../fixtures/import/${name}`, import.meta.url).pathname;
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

for (const kind of tierStoreKinds) {
  describe(`the import of users on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
    const disposals: (() => Promise<void>)[] = [];
    const place = (name: string) => join(folder, name);
    let env: TestEnv;
    const newEnv = async (): Promise<TestEnv> => {
      const isolated = await isolatedEnv(kind);
      disposals.push(isolated.dispose);
      assert.equal((await run(isolated.env, 'migrate', 'up')).code, 0);
      return isolated.env;
    };
    const tables = async (where = env) =>
      JSON.stringify([
        await askStore(where, 'select * from users order by id'),
        await askStore(where, "select * from audit_events where kind <> 'users.exported' order by id"),
      ]);
    before(async () => {
      env = await newEnv();
    });
    after(async () => {
      for (const dispose of disposals) await dispose();
      rmSync(folder, { recursive: true });
    });

    it('a dry run says what would happen and writes nothing', async () => {
      const before = await tables();
      const { code, stdout } = await run(
        env,
        'import',
        'users',
        '--from',
        'firebase',
        fixture('firebase.json'),
        '--dry-run',
      );
      assert.equal(code, 1);
      assert.match(stdout, /^3 records: 2 to create, 0 to complete, 0 unchanged, 1 refused\n/);
      assert.match(stdout, /To see the reasons: --report FILE/);
      assert.equal(await tables(), before);
      assert.ok(!existsSync(`${fixture('firebase.json')}.report.jsonl`));
    });

    it('an import lists refused records without a number or an address, and a repetition changes nothing', async () => {
      const report = place('report.jsonl');
      const words = ['import', 'users', '--from', 'cognito', fixture('cognito.csv'), '--report', report];
      const first = await run(env, ...words);
      assert.equal(first.code, 1);
      assert.match(first.stdout, /^3 records: 2 created, 0 completed, 0 unchanged, 1 refused\n1 record without some/);
      const [head, ...remarks] = linesOf(report);
      assert.equal(head.import.from, 'cognito');
      assert.deepEqual(remarks, [
        { line: 3, record: 2, id: 'ben', outcome: 'imported', reason: 'left out: the e-mail address is not verified' },
        { line: 4, record: 3, id: 'cem', outcome: 'refused', reason: 'no way in: the phone number is not verified' },
        { summary: { created: 2, completed: 0, unchanged: 0, refused: 1, reduced: 1 } },
      ]);
      assert.equal(statSync(report).mode & 0o777, 0o600);
      assert.ok(!existsSync(`${report}.state`));
      const before = await tables();
      assert.match((await run(env, ...words)).stdout, /^3 records: 0 created, 0 completed, 2 unchanged, 1 refused\n/);
      assert.equal(await tables(), before);
    });

    it('a file of Auth0 gives its ids, numbers and addresses, and an address in quotes is left out with its line', async () => {
      const words = ['import', 'users', '--from', 'auth0', fixture('auth0.csv'), '--report', place('auth0.jsonl')];
      assert.match((await run(env, ...words, '--dry-run')).stdout, /^3 records: /);
      const file = place('quoted.csv');
      writeFileSync(
        file,
        `email,emailVerified,phone\n'ann@example.com,true,\n'bob@example.com,true,${importedPhone(9)}\n`,
      );
      assert.equal((await run(env, 'import', 'users', '--from', 'csv', file)).code, 1);
      const reasons = linesOf(`${file}.report.jsonl`).flatMap(({ line, outcome, reason }) =>
        line ? [[line, outcome, reason]] : [],
      );
      const mark = 'the e-mail address begins with a quotation mark';
      assert.deepEqual(reasons, [
        [2, 'refused', `no way in: ${mark}`],
        [3, 'imported', `left out: ${mark}`],
      ]);
    });

    it('an id that is an address or a number is masked in the report', async () => {
      const file = place('ids.csv');
      writeFileSync(file, 'externalId,phone\nann@example.com,1\n+12025550123,1\n4915123,4915123\nplain,1\n');
      await run(env, 'import', 'users', '--from', 'csv', file);
      const ids = linesOf(`${file}.report.jsonl`).flatMap(({ id }) => id ?? []);
      assert.deepEqual(ids, ['a•••@example.com', '+12•••23', '•••', 'plain']);
    });

    it('users who were imported while the service runs sign in, and keep what the file says', async () => {
      const service = await spawnGatehouse(env);
      try {
        const file = place('running.csv');
        const facts = `user2@example.com,true,${new Date(1_600_000_000_002).toISOString()}`;
        writeFileSync(file, `phone,email,emailVerified,createdAt\n${importedPhone(2)},${facts}\n`);
        assert.equal((await run(env, 'import', 'users', '--from', 'csv', file)).code, 0);
        const { JWT } = await enter(service.url, importedPhone(2));
        const { data } = (await me(service.url, JWT)).body;
        assert.deepEqual([data.phone, data.email], [importedPhone(2), 'user2@example.com']);
        assert.equal(data.createdAt, new Date(1_600_000_000_002).toISOString());
      } finally {
        await service.stop();
      }
    });

    it('an export goes into another installation, which exports the same', async () => {
      const [out, back] = [place('out.jsonl'), place('back.jsonl')];
      const file = place('few.json');
      await writeFirebaseFile(file, 5);
      const home = await newEnv();
      assert.equal((await run(home, 'import', 'users', '--from', 'firebase', file)).code, 0);
      const report = ['--report', place('few.report.jsonl')];
      assert.equal((await run(home, 'import', 'users', '--from', 'jsonl', fixture('users.jsonl'), ...report)).code, 1);
      const exported = await run(home, 'export', 'users', '--to', out, '--reason', 'a move');
      assert.deepEqual([exported.code, exported.stdout], [0, '']);
      assert.equal(statSync(out).mode & 0o777, 0o600);
      const users = linesOf(out);
      assert.equal(users.length, 7);
      assert.ok(users.some(({ metadata }) => metadata.private.note === 'vip'));
      const other = await newEnv();
      assert.equal((await run(other, 'import', 'users', '--from', 'jsonl', out)).code, 0);
      assert.equal((await run(other, 'export', 'users', '--to', back)).code, 0);
      assert.deepEqual(linesOf(back), users);
      assert.deepEqual(
        users.flatMap(({ blockedAt }) => blockedAt ?? []),
        ['2020-02-01T00:00:00.000Z'],
      );
      assert.deepEqual((await run(other, 'export', 'users')).stdout, readFileSync(back, 'utf8'));
      assert.equal((await run(other, 'export', 'users', '--to', back)).code, 1);
      const [event] = await askStore(home, "select detail from audit_events where kind = 'users.exported'");
      assert.deepEqual(JSON.parse(String(event?.detail)), { actor: 'cli', why: 'a move' });
    });

    it('neither command writes into a file that somebody else has put beside its own', async () => {
      const [out, victim] = [place('planted.jsonl'), place('victim')];
      writeFileSync(`${out}.part`, '', { mode: 0o666 });
      const exported = await run(env, 'export', 'users', '--to', out);
      assert.equal(exported.code, 1);
      assert.match(exported.stderr, /planted\.jsonl\.part exists/);
      assert.deepEqual([readFileSync(`${out}.part`, 'utf8'), existsSync(out)], ['', false]);
      const file = place('planted.json');
      await writeFirebaseFile(file, 2);
      writeFileSync(victim, 'mine');
      symlinkSync(victim, `${file}.report.jsonl.state.part`);
      assert.equal((await run(await newEnv(), 'import', 'users', '--from', 'firebase', file)).code, 0);
      assert.equal(readFileSync(victim, 'utf8'), 'mine');
    });

    it('an import that was interrupted goes on with --resume, and says so', async () => {
      const file = place('many.json');
      await writeFirebaseFile(file, 30_000);
      const fresh = await newEnv();
      const { child, output, ended } = spawnMain(['import', 'users', '--from', 'firebase', file], fresh);
      await waitUntil('a batch is committed', async () => existsSync(`${file}.report.jsonl.state`));
      child.kill('SIGINT');
      assert.equal(await ended, 1);
      assert.match(output().stdout, /Stopped\. To go on: gatehouse import users --from firebase \S+ --resume/);
      const done = Number(/^(\d+) records/.exec(output().stdout)?.[1]);
      const [{ users }] = (await askStore(fresh, 'select count(*) as users from users')) as [{ users: number }];
      assert.equal(Number(users), done);
      const resumed = await run(fresh, 'import', 'users', '--from', 'firebase', file, '--resume', '--json');
      const { records, created, refused } = resumed.data;
      assert.deepEqual([records, created, refused], [30_000, 30_000, 0]);
      const remarks = linesOf(`${file}.report.jsonl`).flatMap(({ record }) => record ?? []);
      assert.deepEqual(remarks, [...new Set(remarks)]);
      assert.equal(remarks.length, 15_000);
      const again = await run(fresh, 'import', 'users', '--from', 'firebase', file, '--resume');
      assert.match(again.stderr, /There is nothing to go on with/);
    });

    it('an export that fails leaves nothing that looks like one', async () => {
      const out = place('failed.jsonl');
      writeFileSync(`${out}.part`, 'of another export');
      const busy = await run(env, 'export', 'users', '--to', out);
      assert.match(busy.stderr, /failed\.jsonl\.part exists: another export is writing it, or was killed/);
      assert.deepEqual([busy.code, existsSync(out)], [1, false]);
      rmSync(`${out}.part`);
      const broken = await newEnv();
      await askStore(broken, 'alter table audit_events rename to lost');
      assert.equal((await run(broken, 'export', 'users', '--to', out)).code, 1);
      assert.deepEqual([existsSync(out), existsSync(`${out}.part`)], [false, false]);
    });

    it('what an interrupted import has left is not damaged, and explained if it is lost', async () => {
      const file = place('left.csv');
      writeFileSync(file, 'phone\n1\n');
      const report = `${file}.report.jsonl`;
      const words = ['import', 'users', '--from', 'csv', file];
      assert.equal((await run(env, ...words)).code, 1);
      const { import: subject } = linesOf(report)[0];
      const state = { subject, done: { records: 1, counts: { refused: 1 } }, line: 2, reportBytes: 9 };
      writeFileSync(`${report}.state`, JSON.stringify(state));
      const before = readFileSync(report, 'utf8');
      assert.match(
        (await run(env, ...words, '--dry-run', '--report', report)).stderr,
        /belongs to an interrupted import/,
      );
      assert.equal(readFileSync(report, 'utf8'), before);
      rmSync(report);
      assert.match((await run(env, ...words, '--resume')).stderr, /is gone\. Import without --resume/);
      writeFileSync(`${report}.state`, '');
      assert.match((await run(env, ...words, '--resume')).stderr, /state cannot be read\. Import without --resume/);
      assert.match((await run(env, ...words, '--report', folder)).stderr, /is no file\. Name another file: --report/);
    });

    it('an import that loses its database says how to go on', async () => {
      const file = place('away.csv');
      writeFileSync(file, `phone\n${Array.from({ length: 1001 }, (_, at) => importedPhone(at)).join('\n')}\n`);
      const fresh = await newEnv();
      const isLast = `phone = '${importedPhone(1000)}'`;
      const refuseLast = {
        sqlite: `create trigger away before insert on users when new.${isLast} begin select raise(abort, 'away'); end`,
        postgres: `alter table users add check (not ${isLast})`,
      };
      await askStore(fresh, refuseLast[kind]);
      const { code, stderr } = await run(fresh, 'import', 'users', '--from', 'csv', file);
      assert.equal(code, 1);
      assert.match(stderr, /Stopped after 1000 records\. To go on: gatehouse import users --from csv \S+ --resume/);
    });

    it('a wrong use or a file that cannot be read is explained', async () => {
      const utf16 = place('utf16.csv');
      writeFileSync(utf16, Buffer.from('\ufeffphone,email\n', 'utf16le'));
      const latin = place('latin.csv');
      writeFileSync(latin, Buffer.from('phone,name\n1,M\xfcller\n', 'latin1'));
      const packed = place('users.json.gz');
      writeFileSync(packed, gzipSync('{"user_id":"a"}\n'));
      const sheet = place('users.xlsx');
      writeFileSync(sheet, 'PK\x03\x04 and the rest');
      const cut = place('cut.json');
      writeFileSync(cut, '{"users":[{"localId":"a"');
      const empty = place('empty.csv');
      writeFileSync(empty, '\n');
      const precious = place('precious.txt');
      writeFileSync(precious, 'not a report');
      const users = fixture('users.csv');
      const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
        [2, /--from takes one of: csv, jsonl, firebase, supabase, cognito, auth0/, '--from', 'okta', users],
        [2, /leave out --resume/, '--from', 'csv', users, '--dry-run', '--resume'],
        [1, /The file cannot be read: ENOENT/, '--from', 'csv', place('none.csv')],
        [1, /is no file/, '--from', 'csv', folder],
        [1, /UTF-16\. Save it as UTF-8 \(iconv .* > NEW\)\.\n/, '--from', 'csv', utf16, '--dry-run'],
        [1, /is not UTF-8\. Save it in Excel as “CSV UTF-8”/, '--from', 'csv', latin, '--dry-run'],
        [1, /Unpack it first \(gunzip FILE\)\.\n/, '--from', 'auth0', packed, '--dry-run'],
        [1, /is a spreadsheet or a ZIP archive/, '--from', 'csv', sheet, '--dry-run'],
        [1, /it is not complete/, '--from', 'firebase', cut, '--dry-run'],
        [1, /The file is empty/, '--from', 'csv', empty, '--dry-run'],
        [1, /none of: phone, email/, '--from', 'csv', fixture('cognito.json'), '--dry-run'],
        [1, /exists and is no report of an import/, '--from', 'csv', users, '--report', precious],
      ];
      for (const [code, text, ...words] of cases) {
        const ran = await run(env, 'import', 'users', ...words);
        assert.equal(ran.code, code, words.join(' '));
        assert.match(ran.stderr, text);
      }
      assert.equal(readFileSync(precious, 'utf8'), 'not a report');
    });
  });
}
