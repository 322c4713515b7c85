// The command line in general: exit codes, suggestions, help, settings and masked secrets.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { warnOfFile } from '../../src/commands/dot-env-lines.ts';
import { maskSecret } from '../../src/config/effective-settings.ts';
import { settingNames } from '../../src/config/settings.ts';
import { enter, outcomeOf } from '../helpers/people/users.ts';
import { refresh } from '../helpers/requests/api.ts';
import { because, run } from '../helpers/services/command-line.ts';
import { isolatedEnv, spawnGatehouse, spawnMain } from '../helpers/services/gatehouse.ts';

const auditTail = ['audit', 'tail', '--kind'];

describe('the command line', () => {
  it('a command whose output is closed exits with 0 and prints no error', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const { child, ended, output } = spawnMain(['config', 'docs'], env);
    child.stdout.destroy();
    assert.equal(await ended, 0);
    assert.equal(output().stderr, '');
    await dispose();
  });

  it('a warning names the lines of .env that set nothing', () => {
    const text = '# words\nPORT=1\nexport HOST = x # y\n\nA="one\ntwo three\n"\nnonsense here\r\nB=`x`\n=5\n';
    assert.deepEqual(
      warnOfFile(text).map((warning) => /^line (\d+) /.exec(warning)?.[1]),
      ['8', '10'],
    );
  });

  it('a command exits with 2 for wrong use, 1 for a failure and 78 for wrong settings', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
      [2, /unknown command 'usres'\n\(Did you mean users\?\)/, 'usres'],
      [2, /unknown command 'blok'\n\(Did you mean block\?\)/, 'users', 'blok'],
      [2, /unknown option '--jsno'\n\(Did you mean --json\?\)/, 'users', 'find', '123', '--jsno'],
      [2, /unknown option '--lann'\n\(Did you mean --lan\?\)/, '--lann'],
      [2, /unknown option '--prot'/, '--prot', '80'],
      [2, /missing required argument 'who'/, 'users', 'find'],
      [2, /Usage: gatehouse users/, 'users'],
      [2, /Give a reason/, 'users', 'block', '+12025550123'],
      [2, /does not name a user/, 'users', 'find', '12'],
      [1, /There is no database in/, 'users', 'find', '0123'],
      [1, /There is no database in/, 'files', 'check'],
      [1, /There is no database in/, 'backup', 'journal'],
      [
        2,
        /called otp\.exhuasted\. Did you mean otp\.exhausted\? Kinds: otp\.requested, otp\.failed/,
        ...auditTail,
        'otp.exhuasted',
      ],
      [2, /no kind of event called nonsense\. Kinds: otp\.requested, otp\.failed/, ...auditTail, 'nonsense'],
      [2, /--url takes a URL such as http:\/\/localhost:8080, and “foo” is not one/, 'captcha', '--url', 'foo'],
      [
        1,
        /^gatehouse: \S+ cannot be reached \(ECONNREFUSED\)[^\n]+\n$/,
        'captcha',
        '--url',
        `http://127.0.0.1:${env.PORT}`,
      ],
    ];
    for (const [code, says, ...args] of cases) {
      const ran = await run(env, ...args);
      assert.equal(ran.code, code, `${args.join(' ')}: ${ran.stderr}`);
      assert.match(ran.stderr, says);
      assert.equal(ran.stdout, '', 'messages go to stderr');
    }
    const status = await run(env, 'migrate', 'status');
    assert.deepEqual([status.code, status.stderr.includes('the first start creates it')], [0, true]);
    assert.match(status.stdout, /^missing {2}0001/);
    assert.deepEqual(readdirSync(env.DATA_DIR ?? ''), [], 'no command created a database');
    writeFileSync(join(env.DATA_DIR ?? '', 'gatehouse.db'), '');
    const early = await run(env, 'files', 'check');
    assert.deepEqual([early.code, early.stdout], [1, '']);
    assert.match(early.stderr, /^Database: .*\ngatehouse: The database is older than this program/);
    assert.equal((await run({ ...env, PORT: 'x' }, 'config', 'print')).code, 78);
    const away = { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    for (const args of [
      ['keys', 'list'],
      ['backup', 'journal'],
    ]) {
      const lost = await run(away, ...args);
      assert.deepEqual([lost.code, lost.stdout], [1, '']);
      assert.match(
        lost.stderr,
        /^Database: PostgreSQL none on 127\.0\.0\.1:9 · .*\ngatehouse: The database cannot be reached: .* To cure it: start PostgreSQL/,
      );
    }
    await dispose();
  });

  it('--help lists every group of commands and the exit codes, and a command prints an example', async () => {
    const all = await run({}, '--help');
    assert.equal(all.code, 0);
    assert.match(all.stdout, /Exit codes: 0 ok, 1 failed/);
    for (const group of [
      'users',
      'messages',
      'limits',
      'keys',
      'admin',
      'audit',
      'config',
      'secret',
      'files',
      'sample',
    ])
      assert.match(all.stdout, new RegExp(`^ {2}${group} `, 'm'));
    const one = await run({}, 'users', 'block', '--help');
    assert.match(one.stdout, /--reason <text>[\s\S]*--json[\s\S]*Example:\n {2}gatehouse users block/);
  });

  it('config print shows every setting with its source and no secret', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const path = join(env.DATA_DIR ?? '', 'previous');
    writeFileSync(path, 'q'.repeat(40));
    const secrets = { SECRET: 's3cr3t'.repeat(8), SMS_URL: 'twilio://AC123:t0ken@?from=%2B15550100' };
    const { data, stdout } = await run({ ...env, ...secrets, SECRET_PREVIOUS_FILE: path }, 'config', 'print', '--json');
    assert.deepEqual(
      data.settings.map((setting: { name: string }) => setting.name),
      settingNames,
    );
    const shown = (name: string) => {
      const { value, source } = data.settings.find((setting: { name: string }) => setting.name === name);
      return `${value} ${source}`;
    };
    assert.equal(shown('PORT'), `${env.PORT} environment`);
    assert.equal(shown('PUBLIC_URL'), `http://localhost:${env.PORT} default`);
    assert.equal(shown('SECRET'), '••• environment');
    assert.equal(shown('SMS_URL'), 'twilio://••• environment');
    assert.equal(shown('SECRET_PREVIOUS'), `••• (in ${path}) file`);
    assert.equal(shown('LIMIT_SENDS_PER_RECIPIENT'), 'SMS 5/1h,10/24h, mail off default');
    for (const part of ['s3cr3t', 't0ken', 'AC123', 'qqqq']) assert.ok(!stdout.includes(part), part);
    const docs = await run({}, 'config', 'docs', '--json');
    assert.equal(docs.data.settings.length, settingNames.length);
    await dispose();
  });

  it('maskSecret hides the secret in every form of URL', () => {
    const shown = {
      'inbox:': 'inbox:',
      'postgres://u:p@db.example.com:5432/name?sslmode=require': 'postgres://•••@db.example.com:5432/name',
      's3://KEY:SECRET@s3.example.com/bucket?region=eu': 's3://•••@s3.example.com/bucket',
      'smtps://user:p%40ss@mail.example.com': 'smtps://•••@mail.example.com',
      'webhook+https://key@hooks.example.com/T0/B0?x=1': 'webhook+https://•••@hooks.example.com',
      'webhook+https://hooks.example.com/T0/B0': 'webhook+https://•••',
      'turnstile://SITE:SECRET': 'turnstile://•••',
      'smtp://u:a@b?c@d.example.com': 'smtp://•••',
      'twilio://A:B@?from=1 inbox:': 'twilio://••• inbox:',
      'no url at all': '••• ••• ••• •••',
    };
    for (const [text, masked] of Object.entries(shown)) assert.equal(maskSecret(text), masked);
  });

  it('secret generate prints a new 64-character secret each time', async () => {
    const [one, two] = await Promise.all([run({}, 'secret', 'generate'), run({}, 'secret', 'generate', '--json')]);
    assert.match(one.stdout, /^[\w-]{64}\n$/);
    assert.notEqual(one.stdout.trim(), two.data.secret);
  });

  it('secret rotate replaces the generated secret, and users stay signed in', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const file = join(env.DATA_DIR ?? '', 'secret');
    let service = await spawnGatehouse(env);
    const { RT } = await enter(service.url);
    const old = readFileSync(file, 'utf8');
    assert.equal((await run(env, 'secret', 'rotate', ...because)).code, 2, 'not confirmed');
    const { data } = await run(env, 'secret', 'rotate', ...because, '--yes', '--json');
    assert.deepEqual(data, { isWritten: true, dataDir: env.DATA_DIR });
    assert.notEqual(readFileSync(file, 'utf8'), old);
    assert.equal(readFileSync(`${file}.previous`, 'utf8'), old + readFileSync(file, 'utf8'));
    for (const path of [file, `${file}.previous`]) assert.equal(statSync(path).mode & 0o777, 0o600);
    await service.stop();
    service = await spawnGatehouse(env);
    assert.equal(outcomeOf(await refresh(service.url, RT)), '200');
    await service.stop();

    const byHand = await run({ ...env, SECRET: 'x'.repeat(40) }, 'secret', 'rotate', '--json');
    assert.equal(byHand.data.isWritten, false);
    assert.match(byHand.stderr, /SECRET_PREVIOUS/);
    await dispose();
  });

  it('sample curl prints a script that runs unchanged', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const service = await spawnGatehouse(env);
    const { stdout } = await run(env, 'sample', 'curl', '--url', service.url);
    const walked = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', stdout]);
    assert.match(walked.stdout, /ok\nok\n$/);
    await service.stop();
    await dispose();
  });
});
