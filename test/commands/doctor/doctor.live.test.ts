// The doctor on a fresh install, on a healthy production setup and on broken ones: each finding has its cause and its cure.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { judgeBackup, judgeClock, judgeConnections, judgeDisk } from '../../../src/commands/doctor/examine-machine.ts';
import type { Finding } from '../../../src/commands/doctor/finding.ts';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { isolatedEnv, startGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

type Report = { readonly isWell: boolean; readonly findings: readonly Finding[] };

async function ask(env: TestEnv): Promise<Report & { readonly code: number | undefined }> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json'], env);
  assert.match(stderr, /^(Database: .* · Files: .*\n)?$/);
  return { code, ...(JSON.parse(stdout) as Report) };
}

function states({ findings }: Report): Record<string, string> {
  return Object.fromEntries(findings.map(({ name, state }) => [name, state]));
}

/** The only finding that is bad. */
function onlyBad({ code, isWell, findings }: Awaited<ReturnType<typeof ask>>): Finding {
  assert.equal(code, 1);
  assert.equal(isWell, false);
  const [first = assert.fail('nothing is bad'), ...rest] = findings.filter(({ state }) => state === 'bad');
  assert.deepEqual(rest, []);
  assert.ok(first.cure);
  return first;
}

describe('the doctor', () => {
  const disposals: (() => Promise<void>)[] = [];
  let s3: S3Server;
  let smtp: SMTPServer;
  let twilio: Server;
  let production: TestEnv;
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const place = async (kind: 'sqlite' | 'postgres', env: TestEnv = {}) => {
    const made = await isolatedEnv(kind, env);
    disposals.push(made.dispose);
    return made.env;
  };

  before(async () => {
    s3 = await startS3Server();
    smtp = new SMTPServer({
      logger: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('no')),
    });
    await once(smtp.listen(0, '127.0.0.1'), 'listening');
    twilio = createServer(({ headers, url }, response) => {
      const isKnown = headers.authorization === `Basic ${Buffer.from('AC1:right').toString('base64')}`;
      const isAccount = url === '/2010-04-01/Accounts/AC1.json';
      response.writeHead(isKnown && isAccount ? 200 : 401).end('{"status":"active"}');
    });
    await once(twilio.listen(0, '127.0.0.1'), 'listening');
    production = await place('postgres', {
      PUBLIC_URL: 'https://id.example.com',
      SECRET: 'nineteen violet lanterns over the moor, 47',
      TRUSTED_PROXIES: '127.0.0.1',
      STORAGE_URL: s3.url(),
      MAIL_URL: `smtp://user:right@127.0.0.1:${portOf(smtp.server)}`,
      MAIL_FROM: 'no-reply@example.com',
      NOTICES: 'mail',
      SMS_URL: `twilio://AC1:right@127.0.0.1:${portOf(twilio)}?from=%2B15550100&tls=0`,
    });
    assert.equal((await runCommand(['migrate', 'up'], production)).code, 0);
  });
  after(async () => {
    await s3.stop();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    twilio.closeAllConnections();
    twilio.close();
    for (const dispose of disposals) await dispose();
  });

  it('the doctor creates no database and no folder, and doubts that it looks at the right place', async () => {
    const env = await place('sqlite');
    const report = await ask(env);
    assert.equal(report.code, 0);
    const { database, storage, ...rest } = states(report);
    assert.deepEqual([database, storage], ['doubtful', 'doubtful']);
    assert.ok(Object.values(rest).every((state) => state === 'good'));
    assert.match(JSON.stringify(report.findings), /the first start creates it.*--env-file FILE/);
    const elsewhere = join(env.DATA_DIR ?? '', 'not', 'yet');
    assert.equal(states(await ask({ ...env, DATA_DIR: elsewhere })).database, 'doubtful');
    assert.deepEqual(readdirSync(env.DATA_DIR ?? ''), []);
  });

  it('the doctor finds no problem in a fresh install that has been started, and prints readable lines', async () => {
    const env = await place('sqlite');
    await (await startGatehouse(env)).stop();
    const { code, stdout, stderr } = await runCommand(['doctor'], env);
    assert.equal(code, 0, stdout);
    assert.equal(stderr, `Database: ${env.DATA_DIR}/gatehouse.db (SQLite) · Files: ${env.DATA_DIR}/files (disk)\n`);
    assert.match(stdout, /^✔ settings {2}can be read; local mode at http:\/\/localhost:\d+$/m);
    assert.doesNotMatch(stdout, /[✖!]/);
  });

  it('the doctor finds only the missing backup in a complete production setup, and leaves no object in the storage', async () => {
    const report = await ask(production);
    assert.equal(report.code, 0, JSON.stringify(report.findings));
    const { backup, ...rest } = states(report);
    assert.equal(backup, 'doubtful');
    assert.deepEqual(Object.keys(rest).toSorted(), [
      'apps',
      'clock',
      'database',
      'disk',
      'https',
      'identity',
      'mail',
      'pool',
      'proxy',
      'scanner',
      'servers',
      'service keys',
      'settings',
      'sms',
      'storage',
      'variants',
    ]);
    assert.ok(
      Object.values(rest).every((state) => state === 'good'),
      JSON.stringify(report.findings),
    );
    assert.deepEqual(
      Object.keys(rest).filter((name) => name === 'sms' || name === 'mail'),
      ['mail', 'sms'],
    );
    assert.equal(s3.objects.size, 0);
    const folder = join(production.DATA_DIR ?? '', 'backup');
    assert.equal((await runCommand(['backup', 'create', '--to', folder], production)).code, 0);
    assert.equal(states(await ask(production)).backup, 'good');
  });

  it('the doctor lists every wrong setting and then runs no other check', async () => {
    const { code, findings } = await ask({ ...production, SECRET: 'short', PORT: 'many' });
    assert.equal(code, 1);
    assert.deepEqual(
      findings.map(({ detail }) => detail.split(' ')[0]),
      ['PORT', 'SECRET'],
    );
  });

  it('the doctor reports a database that cannot be reached, without its password', async () => {
    const port = await freePort();
    const finding = onlyBad(await ask({ ...production, DATABASE_URL: `postgres://user:hidden@127.0.0.1:${port}/x` }));
    assert.equal(finding.name, 'database');
    assert.match(finding.detail, /ECONNREFUSED/);
    assert.doesNotMatch(JSON.stringify(finding), /hidden/);
  });

  it('the doctor reports a data folder that cannot be used', async () => {
    const { DATA_DIR = '', ...env } = await place('sqlite');
    writeFileSync(join(DATA_DIR, 'file'), '');
    const { code, ...report } = await ask({ ...env, DATA_DIR: join(DATA_DIR, 'file') });
    assert.equal(code, 1);
    const { database, storage } = states(report);
    assert.deepEqual([database, storage], ['bad', 'bad']);
  });

  it('the doctor reports a storage that refuses the key', async () => {
    const finding = onlyBad(await ask({ ...production, STORAGE_URL: s3.url({ secret: 'wrong' }) }));
    assert.equal(finding.name, 'storage');
    assert.match(finding.detail, /SignatureDoesNotMatch|403/);
  });

  it('the doctor looks into the bucket of backups', async () => {
    const well = { ...production, BACKUP_URL: s3.url(), BACKUP_KEY: 'nineteen green lanterns over the moor, 48' };
    assert.equal(states(await ask(well)).bucket, 'doubtful', 'it has none yet');
    const finding = onlyBad(await ask({ ...well, BACKUP_URL: s3.url({ secret: 'wrong' }) }));
    assert.equal(finding.name, 'bucket');
    assert.match(finding.detail, /BACKUP_URL \(\S+ on [^)]+\): S3 answered .* with 403/);
  });

  it('the doctor reports a mail server that refuses the password', async () => {
    const url = `smtp://user:wrong@127.0.0.1:${portOf(smtp.server)}`;
    const finding = onlyBad(await ask({ ...production, MAIL_URL: url }));
    assert.equal(finding.name, 'mail');
    assert.match(finding.detail, /SMTP 535/);
  });

  it('the doctor calls plain-text mail doubtful, and a mail server without STARTTLS bad', async () => {
    const place = `0.0.0.0:${portOf(smtp.server)}`;
    const open = await ask({ ...production, MAIL_URL: `smtp://user:right@${place}?tls=off` });
    assert.equal(open.findings.find(({ name }) => name === 'mail')?.state, 'doubtful');
    assert.match(
      JSON.stringify(open.findings),
      /MAIL_URL sends the password, codes and links to 0\.0\.0\.0:\d+ in plain text/,
    );
    const finding = onlyBad(await ask({ ...production, MAIL_URL: `smtp://user:right@${place}` }));
    assert.match(finding.detail, /does not offer STARTTLS/);
  });

  it('the doctor reports an SMS provider that refuses the credentials, and an endpoint that refuses connections', async () => {
    const wrong = `twilio://AC1:wrong@127.0.0.1:${portOf(twilio)}?from=%2B15550100&tls=0`;
    const refused = onlyBad(await ask({ ...production, SMS_URL: wrong }));
    assert.deepEqual([refused.name, refused.detail], ['sms', 'twilio: the credentials are refused']);
    for (const deaf of ['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost', 'https://[::1]']) {
      const silent = onlyBad(await ask({ ...production, SMS_URL: `webhook+${deaf}:${await freePort()}/sms` }));
      assert.equal(silent.detail, 'webhook: connection refused');
    }
  });

  it('the doctor reports a proxy that is not trusted, and a public URL that is not https', async () => {
    assert.equal(onlyBad(await ask({ ...production, TRUSTED_PROXIES: '' })).name, 'proxy');
    const open = onlyBad(await ask({ ...production, PUBLIC_URL: 'http://id.example.com' }));
    assert.equal(open.name, 'https');
    assert.match(open.detail, /cookies are sent without Secure/);
    assert.equal(states(await ask({ ...production, TRUSTED_PROXIES: '0.0.0.0/1' })).proxy, 'doubtful');
  });

  it('the doctor rates clock skew, free disk space, connections and the age of the backup', () => {
    const now = Date.UTC(2027, 0);
    const day = 86_400_000;
    assert.equal(judgeClock('postgres', 500, now).state, 'good');
    assert.equal(judgeClock('postgres', -5000, now).state, 'doubtful');
    assert.equal(judgeClock('postgres', 40_000, now).state, 'bad');
    assert.equal(judgeClock('sqlite', 0, Date.UTC(1970, 0)).state, 'bad');
    assert.equal(judgeDisk(50 * 2 ** 30, 100 * 2 ** 30).state, 'good');
    assert.equal(judgeDisk(2 * 2 ** 30, 100 * 2 ** 30).state, 'doubtful');
    assert.equal(judgeDisk(2 ** 20, 100 * 2 ** 30).state, 'bad');
    assert.equal(judgeConnections({ most: 97, open: 20 }, 16, 2).state, 'good');
    const tight = judgeConnections({ most: 30, open: 20 }, 16, 2);
    assert.equal(tight.state, 'doubtful');
    assert.match(`${tight.detail} ${tight.cure}`, /up to 32 .* allows 30, 20 are open now lower DATABASE_POOL/);
    assert.equal(judgeBackup({ mode: 'production', backupKey: undefined }, now - day, now).state, 'good');
    assert.equal(judgeBackup({ mode: 'production', backupKey: undefined }, now - 3 * day, now).state, 'doubtful');
  });
});
