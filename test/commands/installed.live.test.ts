// The command of an installation with a systemd unit: it has the settings and the user of the service, and says so first.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { startGatehouse, whereabouts } from '../helpers/services/gatehouse.ts';

const sources = new URL('../../', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;
/** The user of the service. Root can give files to anybody. */
const owner = isRoot ? 65_411 : (process.getuid?.() ?? 0);

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

describe('the command of an installation', () => {
  let place: string;
  let dataDir: string;
  const settingsFile = () => join(place, 'etc/env');
  const run = (args: readonly string[], env: Record<string, string> = {}, uid = process.getuid?.() ?? 0) =>
    new Promise<Ended>((resolve) => {
      const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
      const options = { cwd: tmpdir(), env: { ...whereabouts(), PATH, ...env }, ...(isRoot && { uid, gid: uid }) };
      // Its first line says how Node is started.
      execFile(join(place, 'opt/dist/gatehouse.js'), args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  /** In a shell, with the program as $0. */
  const runInShell = (line: string) =>
    new Promise<Ended>((resolve) => {
      const env = { ...whereabouts(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
      const args = ['-c', line, join(place, 'opt/dist/gatehouse.js')];
      execFile('/bin/sh', args, { cwd: tmpdir(), env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  before(async () => {
    place = mkdtempSync(join(tmpdir(), 'gatehouse-installed-'));
    chmodSync(place, 0o755);
    dataDir = join(place, 'data');
    for (const folder of ['opt/deploy', 'etc', 'data']) mkdirSync(join(place, folder), { recursive: true });
    cpSync(join(sources, 'dist'), join(place, 'opt/dist'), { recursive: true });
    cpSync(join(sources, 'package.json'), join(place, 'opt/package.json'));
    symlinkSync(join(sources, 'node_modules'), join(place, 'opt/node_modules'));
    writeFileSync(
      join(place, 'opt/deploy/gatehouse.service'),
      `[Service]\nEnvironmentFile=${settingsFile()}\nEnvironment=DATA_DIR=${dataDir}\nExecStart=/node ${join(place, 'opt/dist/gatehouse.js')} serve\n`,
    );
    writeFileSync(settingsFile(), '# a comment\nBRAND_NAME="Example Shop"\nMETRICS_PORT=off\n', { mode: 0o600 });
    const env = { PORT: String(await freePort()), DATA_DIR: dataDir, METRICS_PORT: 'off', LOG_LEVEL: 'silent' };
    await (await startGatehouse(env)).stop();
    if (isRoot)
      for (const path of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })])
        chownSync(join(dataDir, path), owner, owner);
  });
  after(() => rmSync(place, { recursive: true }));

  it('has the settings of the unit, and says first where the data are', async () => {
    const { code, stdout, stderr } = await run(['doctor']);
    assert.equal(code, 0, stdout);
    const [first = ''] = stderr.split('\n');
    assert.ok(
      first.startsWith(`Database: ${dataDir}/gatehouse.db (SQLite) · Files: ${dataDir}/files (disk) · Settings: `),
    );
    assert.ok(first.includes(settingsFile()), first);
    assert.ok(stdout.includes(`can be read (${settingsFile()}, `), stdout);
    assert.match(stdout, /^✔ database {2}SQLite takes writes/m);
    const printed = JSON.parse((await run(['config', 'print', '--json'])).stdout) as { settings: { name: string }[] };
    assert.deepEqual(
      printed.settings.find(({ name }) => name === 'BRAND_NAME'),
      { name: 'BRAND_NAME', value: 'Example Shop', source: `${settingsFile()}:2` },
    );
  });

  it('runs as the owner of the data if root calls it, so that nothing there belongs to root', {
    skip: !isRoot,
  }, async () => {
    const { stderr } = await run(['doctor']);
    assert.equal(stderr.includes(` · User: ${owner}\n`), isRoot, stderr);
    const paths = ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })];
    assert.ok(paths.length > 2);
    for (const path of paths) assert.equal(statSync(join(dataDir, path)).uid, owner, path);
  });

  it('refuses to guess where another user may not read the file', async () => {
    chmodSync(settingsFile(), 0);
    const { code, stdout, stderr } = await run(['users', 'find', '0123'], {}, owner);
    assert.deepEqual([code, stdout], [78, '']);
    assert.ok(
      stderr.includes(`${settingsFile()} has the settings, and this user may not read it: run the command as root`),
    );
    const doctor = await run(['doctor'], {}, owner);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /^✖ settings {2}.* this user may not read it$/m);
  });

  it('takes --env-file before and after the name of the command, and names file and line of a wrong setting', async () => {
    const file = join(place, 'other');
    writeFileSync(file, `DATA_DIR=${join(place, 'nowhere')}\n\nPORT=x#y\n`);
    for (const args of [
      ['--env-file', file, 'users', 'find', '0123'],
      [`--env-file=${file}`, 'users', 'find', '0123'],
      ['users', 'find', '0123', '--env-file', file],
      ['--env-file', file],
    ]) {
      const { code, stderr } = await run(args);
      assert.equal(code, 78, stderr);
      assert.ok(stderr.includes(`PORT (in ${file}:3) is “x#y”`), stderr);
    }
    const { code, stderr } = await run(['users', '--env-file', file, 'find', '0123'], { PORT: '8080' });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Database: .*nowhere\/gatehouse\.db \(SQLite, does not exist yet\) .*\ngatehouse: There is no database in /,
    );
    assert.ok(!readdirSync(place).includes('nowhere'));
    assert.match(
      (await run(['users', 'find', '--help'])).stdout,
      /--env-file <file> +read the settings from this file/,
    );
  });

  for (const [file, trouble] of [
    ['missing', /does not exist/],
    ['data', /data is a folder: name a file or a pipe/],
    ['/dev/zero', /\/dev\/zero is no file/],
    ['/dev/null', /\/dev\/null sets nothing/],
  ] as const) {
    it(`says what is wrong with a file of settings that Node itself could not read: ${file}`, async () => {
      const { code, stderr } = await run([
        'config',
        'print',
        '--env-file',
        file.startsWith('/') ? file : join(place, file),
      ]);
      assert.equal(code, 78, stderr);
      assert.match(stderr, trouble);
    });
  }

  it('reads the settings from a pipe, and refuses one without any', async () => {
    const { code, stdout, stderr } = await runInShell(
      'echo BRAND_NAME=Piped | "$0" config print --env-file /dev/stdin',
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^BRAND_NAME +Piped/m);
    const empty = await runInShell('false | "$0" config print --env-file /dev/stdin');
    assert.equal(empty.code, 78);
    assert.match(empty.stderr, /\/dev\/stdin sets nothing/);
  });

  it('takes one file of settings, not two', async () => {
    const args = ['--env-file', join(place, 'other'), 'config', 'print', '--env-file', settingsFile()];
    const { code, stderr } = await run(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /Name only one file/);
  });
});
