// The build that a start runs: made when the sources have changed, by the first process, never partial, and never skipped silently.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startError } from '../../src/commands/serve/start-error.ts';
import type { Config } from '../../src/config/config.ts';
import { mountSmallDisk } from '../helpers/blobs/small-disk.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const project = new URL('../../', import.meta.url).pathname;
const said = 'Signs users in';
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const parts = [
  'src',
  'web',
  'client/src',
  'media/src',
  'locales',
  'scripts/build',
  'scripts/site',
  'package.json',
  'package-lock.json',
];

type FindBuild = typeof import('../../scripts/build/find-build.js');
type Lock = { packages: Record<string, { version: string; dev?: true }> };

describe('the build of a start', () => {
  let root: string;
  before(() => {
    root = copyProject(project);
    mkdirSync(join(root, 'node_modules'));
    for (const name of readdirSync(join(project, 'node_modules')).filter((found) => found !== '.cache'))
      symlinkSync(join(project, 'node_modules', name), join(root, 'node_modules', name));
    // A copy of its own, because the test writes to it.
    rmSync(installed(root));
    cpSync(installed(project), installed(root));
  });
  after(() => {
    execFileSync('chmod', ['-R', 'u+w', root]);
    rmSync(root, { recursive: true, force: true });
  });
  const withoutBundler = async (work: () => Promise<void>) => {
    const bundler = join(root, 'node_modules/esbuild');
    renameSync(bundler, `${bundler}-away`);
    await work().finally(() => renameSync(`${bundler}-away`, bundler));
  };

  it('a start without a bundler names what is missing and exits with 1', async () => {
    await withoutBundler(async () => {
      const { code, stdout, stderr } = await help(root);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^Building dist\/ \(no build yet\) … failed\.\n.*Run npm ci && npm run build\./);
    });
    assert.deepEqual(readDist(root), []);
  });

  it('a killed build leaves no partial build', async () => {
    const child = spawn(process.execPath, [join(root, 'scripts/build/build.ts')], { stdio: 'ignore' });
    for (let round = 0; round < 6000 && readDist(root).length === 0; round++) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(buildsIn(root), []);
    assert.ok(!existsSync(join(root, 'dist/current.json')));
    rmSync(join(root, 'dist'), { recursive: true });
  });

  it('the first of several starts makes the build, reports it in one line, and the others reuse it', async () => {
    const runs = await Promise.all([help(root), help(root), help(root)]);
    for (const { code, stdout, stderr } of runs) {
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`^Usage[^]*${said}`));
      assert.match(stderr, /^Building dist\/ \(no build yet\) … \d+\.\d s\n$/);
    }
    assert.equal(buildsIn(root).length, 1);
    assert.deepEqual(readDist(root).length, 3, 'the build, the command and current.json');
    await expectNoBuild(root);
    assert.equal(buildsIn(root).length, 1);
  });

  it('a build contains no path of its machine, so that it can be moved', () => {
    const [build = ''] = buildsIn(root);
    const files = filesIn(build);
    assert.ok(files.includes('docs/api/auth.html'));
    for (const name of files) assert.ok(!readFileSync(join(build, name), 'utf8').includes(root), name);
  });

  it('a failing build says why, with the place, and neither the sources nor an older build run', async () => {
    const source = join(root, 'src/commands/program.ts');
    const whole = readFileSync(source, 'utf8');
    writeFileSync(source, `${whole}\nconst half = ;\n`);
    const { code, stdout, stderr } = await help(root);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^Building dist\/ \(sources changed\) … failed\.\n/);
    const line = whole.split('\n').length + 1;
    assert.ok(stderr.includes(`src/commands/program.ts:${line}:13: ERROR: Unexpected ";"`), stderr);
    assert.match(stderr, /Correct the sources, then start again\.\n$/);
    writeFileSync(source, whole);
    await expectNoBuild(root);
    assert.equal(buildsIn(root).length, 1);
  });

  it('a text that is damaged or missing is named as the source that it is', async () => {
    const texts = join(root, 'locales/fr.json');
    const whole = readFileSync(texts, 'utf8');
    writeFileSync(texts, '{"a":');
    const damaged = await help(root);
    rmSync(texts);
    const missing = await help(root);
    writeFileSync(texts, whole);
    for (const { code, stderr } of [damaged, missing]) {
      assert.equal(code, 1);
      assert.match(stderr, /failed\.\n.*\/locales\/fr\.json.*\nCorrect or restore the sources, then start again\.\n$/);
    }
  });

  it('a build refuses files whose changes it would not notice', async () => {
    const source = join(root, 'src/commands/program.ts');
    const whole = readFileSync(source, 'utf8');
    mkdirSync(join(root, 'elsewhere'));
    writeFileSync(join(root, 'elsewhere/text.ts'), "console.log('unseen');\n");
    writeFileSync(source, `import '../../elsewhere/text.ts';\n${whole}`);
    const { code, stderr } = await help(root);
    assert.equal(code, 1);
    assert.match(stderr, /elsewhere\/text\.ts is not in a source folder/);
    writeFileSync(source, whole);
    rmSync(join(root, 'elsewhere'), { recursive: true });
  });

  it('a build goes into its own tree if the packages are linked from another', async () => {
    const other = copyProject(root);
    symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
    writeFileSync(join(other, 'src/unused.ts'), '');
    assert.match((await help(other)).stdout, new RegExp(said));
    assert.equal(buildsIn(other).length, 1);
    rmSync(other, { recursive: true });
    assert.equal(buildsIn(root).length, 1);
  });

  it('a changed production package causes a new build, and removed development packages do not', async () => {
    const lock = JSON.parse(readFileSync(installed(root), 'utf8')) as Lock;
    const known = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock).packages;
    const pruned = Object.entries(lock.packages).filter(([path]) => !known[path]?.dev);
    assert.ok(pruned.length < Object.keys(lock.packages).length);
    writeFileSync(installed(root), JSON.stringify({ ...lock, packages: Object.fromEntries(pruned) }));
    await expectNoBuild(root);
    const packages = { ...lock.packages, 'node_modules/pino': { version: '0.0.0' } };
    writeFileSync(installed(root), JSON.stringify({ ...lock, packages }));
    assert.match((await help(root)).stderr, /^Building dist\/ \(sources changed\) … \d/);
    assert.equal(buildsIn(root).length, 2);
  });

  it('a changed source causes a new build, and a changed date does not', async () => {
    const source = join(root, 'src/commands/program.ts');
    utimesSync(source, 1, 1);
    await expectNoBuild(root);
    writeFileSync(source, readFileSync(source, 'utf8').replace(said, 'Opens a way'));
    utimesSync(source, 1, 1);
    const { stdout, stderr } = await help(root);
    assert.match(stdout, /Opens a way/);
    assert.match(stderr, /^Building dist\/ \(sources changed\) … \d+\.\d s\n$/);
    assert.equal(buildsIn(root).length, 3);
    writeFileSync(source, readFileSync(source, 'utf8').replace('Opens a way', said));
    await expectNoBuild(root);
  });

  it('a build runs for users who cannot write, without a bundler, and a stale build does not run', async () => {
    chmodSync(root, 0o755);
    execFileSync('chmod', ['-R', 'a+rX,a-w', join(root, 'src'), join(root, 'dist')]);
    await withoutBundler(() => expectNoBuild(root, nobody));
    const { code, stdout } = await run(root, ['dist/gatehouse.js', '--help'], nobody);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(said));
    execFileSync('chmod', ['-R', 'u+w', join(root, 'src')]);
    writeFileSync(join(root, 'src/unused.ts'), '');
    const refused = await help(root, nobody);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /failed\.\ndist\/ cannot be written \(.*\)\. Run npm run build as the owner/);
    execFileSync('chmod', ['-R', 'u+w', join(root, 'dist')]);
  });

  it('a few old builds are kept for services that still run them', async () => {
    const old = ['0123456789abcdef', '123456789abcdef0', '.draft-killed'].map((name) => join(root, 'dist', name));
    for (const folder of old) {
      mkdirSync(folder);
      utimesSync(folder, 1, 1);
    }
    assert.equal((await run(root, ['scripts/build/build.ts'])).code, 0);
    assert.ok(!old.some(existsSync));
    assert.equal(buildsIn(root).length, 4);
  });

  it('a changed text causes a new build', async () => {
    const before = buildsIn(root);
    const source = join(root, 'locales/en.json');
    writeFileSync(source, readFileSync(source, 'utf8').replace('You are signed in.', 'Signed in.'));
    await help(root);
    assert.notDeepEqual(buildsIn(root), before);
  });

  it('a new document becomes a page, in a folder too, and a changed one a new page', async () => {
    const folder = join(root, 'docs/decisions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(root, 'docs/README.md'),
      '## Read\n\n- [One](one.md): first.\n- [Two](decisions/two.md): second.\n',
    );
    writeFileSync(join(root, 'docs/one.md'), '# One\n\nSee [the second](decisions/two.md#why).\n');
    const write = (text: string) =>
      writeFileSync(join(folder, 'two.md'), `# Two\n\n## Why\n\n${text} [The first](../one.md).\n`);
    const pageOf = (name: string) => readFileSync(join(currentBuild(root), 'docs', name), 'utf8');
    write('As it was.');
    await help(root);
    assert.match(pageOf('one.html'), /<a href="\/docs\/decisions\/two#why">the second<\/a>/);
    assert.match(pageOf('decisions/two.html'), /As it was\. <a href="\/docs\/one">The first<\/a>/);
    assert.match(pageOf('search.json'), /"\/docs\/decisions\/two#why"/);
    write('As it is.');
    await help(root);
    assert.match(pageOf('decisions/two.html'), /As it is\./);
    rmSync(join(root, 'docs'), { recursive: true });
    await help(root);
  });

  const damages: Record<string, (folder: string) => void> = {
    'without its program': (folder) => rmSync(join(folder, 'main.js')),
    'without its pages': (folder) => rmSync(join(folder, 'pages.json')),
    'without its documentation': (folder) => rmSync(join(folder, 'docs'), { recursive: true }),
    'without a page of its documentation': (folder) => rmSync(join(folder, 'docs/api/auth.html')),
    'with a truncated file': (folder) => truncateSync(join(folder, 'sqlite-thread.js'), 10),
    'without any file': (folder) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`a build ${name} is noticed`, async () => {
      const folder = currentBuild(root);
      cpSync(folder, `${folder}-kept`, { recursive: true, preserveTimestamps: true });
      damage(folder);
      const { findBuild } = (await import(join(root, 'scripts/build/find-build.js'))) as FindBuild;
      const { isBuilt, reason } = findBuild();
      assert.deepEqual([isBuilt, reason], [false, 'the build is incomplete']);
      rmSync(folder, { recursive: true });
      renameSync(`${folder}-kept`, folder);
      await expectNoBuild(root);
    });
  }

  it('a start repairs a build that is not complete', async () => {
    const folder = currentBuild(root);
    const whole = readSizes(folder);
    damages['with a truncated file']?.(folder);
    const { code, stdout, stderr } = await help(root);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(said));
    assert.match(stderr, /^Building dist\/ \(the build is incomplete\) … \d+\.\d s\n$/);
    assert.deepEqual(readSizes(folder), whole);
    await expectNoBuild(root);
  });

  it('npm run build repairs an incomplete build', async () => {
    rmSync(join(currentBuild(root), 'main.js'));
    const { code, stderr } = await run(root, ['scripts/build/build.ts']);
    assert.equal(code, 0);
    assert.match(stderr, /^Building dist\/ \(the build is incomplete\) … \d/);
    await expectNoBuild(root);
  });

  it('a start and npm run build restore a missing or changed dist/gatehouse.js', async () => {
    const command = join(root, 'dist/gatehouse.js');
    const whole = readFileSync(command, 'utf8');
    for (const file of ['src/gatehouse.js', 'scripts/build/build.ts'])
      for (const damage of [() => rmSync(command), () => writeFileSync(command, 'another')]) {
        damage();
        const { code, stderr } = await run(root, [file, '--help']);
        assert.equal(code, 0, stderr);
        assert.equal(readFileSync(command, 'utf8'), whole);
        assert.equal(statSync(command).mode & 0o111, 0o111);
      }
  });

  it('dist/gatehouse.js names the remedy if dist/current.json is damaged or its build is incomplete', async () => {
    const current = join(root, 'dist/current.json');
    const whole = readFileSync(current, 'utf8');
    for (const content of ['{"build":', 'null', '{}', '{"build":"0000000000000000"}']) {
      writeFileSync(current, content);
      await expectRemedy();
    }
    rmSync(current);
    await expectRemedy();
    writeFileSync(current, whole);
    const program = join(currentBuild(root), 'main.js');
    renameSync(program, `${program}-away`);
    await expectRemedy();
    renameSync(`${program}-away`, program);
    assert.equal((await run(root, ['dist/gatehouse.js', '--help'])).code, 0);

    async function expectRemedy() {
      const { code, stdout, stderr } = await run(root, ['dist/gatehouse.js', '--help']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^gatehouse: There is no complete build in dist\/ \(.*\)\. Run npm run build.*\.\n$/);
    }
  });

  it('a start repairs a damaged dist/current.json', async () => {
    const current = join(root, 'dist/current.json');
    const whole = readFileSync(current, 'utf8');
    const { stats } = JSON.parse(whole) as { stats: string };
    for (const content of ['{"build":', 'null', JSON.stringify({ stats })]) {
      writeFileSync(current, content);
      await expectNoBuild(root);
      assert.equal(readFileSync(current, 'utf8'), whole);
    }
  });

  it('a service whose documentation is missing says so, and serves everything else', async () => {
    const docs = join(currentBuild(root), 'docs');
    renameSync(docs, `${docs}-away`);
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
    const port = String(await freePort());
    const env = { ...process.env, DATA_DIR: data, PORT: port, METRICS_PORT: 'off', HOST: '127.0.0.1' };
    const child = spawn(process.execPath, [join(root, 'dist/gatehouse.js'), 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const log = text(child.stdout);
    const statusOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status;
    await waitUntil('the service answers', async () => (await statusOf('/readyz')) === 200);
    for (const [path, status] of [
      ['/', 200],
      ['/openapi.json', 200],
      ['/docs', 404],
      ['/docs/errors', 404],
    ] as const)
      assert.equal(await statusOf(path), status, path);
    child.kill('SIGTERM');
    assert.match(
      await log,
      /"reason":"The build in dist\/ is incomplete \(.*\)\. Run npm run build\.","msg":"there is no documentation at \/docs"/,
    );
    rmSync(data, { recursive: true });
    renameSync(`${docs}-away`, docs);
  });

  it('a service whose pages are missing says so, and does not name the data folder', async () => {
    const pages = join(currentBuild(root), 'pages.json');
    renameSync(pages, `${pages}-away`);
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
    const env = {
      ...process.env,
      DATA_DIR: data,
      PORT: String(await freePort()),
      METRICS_PORT: 'off',
      HOST: '127.0.0.1',
    };
    const { code, stderr } = await run(root, ['dist/gatehouse.js', 'serve'], { env });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^gatehouse: Cannot start\. The build in dist\/ is incomplete \(.*\)\. Run npm run build\.\n$/m,
    );
    assert.doesNotMatch(stderr, /data folder/);
    rmSync(data, { recursive: true });
    renameSync(`${pages}-away`, pages);
  });

  it('a build whose bundler is ended says so in one sentence', async () => {
    rmSync(join(root, 'dist'), { recursive: true });
    const start = startAndBuild(root);
    process.kill((await start.building).bundler, 'SIGKILL');
    const { code, stderr } = await start.ended;
    assert.equal(code, 1);
    assert.match(stderr, /failed\.\nThe process of the bundler was ended, .*\. Start again\.\n$/);
  });

  it('a full disk is reported as such, and a start after it builds', async () => {
    rmSync(join(root, 'dist'), { recursive: true });
    for (const fault of ['fill', 'fillInodes'] as const) {
      const disk = mountSmallDisk(join(root, 'dist'), 1);
      if (disk === undefined) return;
      try {
        if (fault === 'fillInodes') disk.fillInodes();
        const { code, stdout, stderr } = await help(root);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(
          stderr,
          /failed\.\nThere is no space left in .*\/dist \(.*\)\. Free some space, then start again\.\n$/,
        );
      } finally {
        disk.unmount();
      }
    }
    rmSync(join(root, 'dist'), { recursive: true });
    assert.match((await help(root)).stderr, /^Building dist\/ \(no build yet\) … \d/);
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`a start whose build is ended by ${signal} says so and exits with 1`, async () => {
      rmSync(join(root, 'dist'), { recursive: true });
      const start = startAndBuild(root);
      const { build, bundler } = await start.building;
      process.kill(build, signal);
      const { code, stderr } = await start.ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(`^Building dist/ \\(no build yet\\) … \nThe build was ended by ${signal}\\. Start again\\.\n$`),
      );
      await expectEnded(build, bundler);
      assert.deepEqual(buildsIn(root), []);
    });
  }

  for (const [signal, expected] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    it(`a start that gets ${signal} during the build ends the build and the bundler and exits with ${expected}`, async () => {
      rmSync(join(root, 'dist'), { recursive: true });
      const start = startAndBuild(root);
      const { build, bundler } = await start.building;
      start.child.kill(signal);
      const { code, stderr } = await start.ended;
      assert.equal(code, expected);
      assert.match(stderr, /^Building dist\/ \(no build yet\) … stopped\.\n$/);
      await expectEnded(build, bundler);
      assert.deepEqual(buildsIn(root), []);
    });
  }
});

describe('the error of a failed start', () => {
  const config = { dataDir: '/srv/data' } as Config;
  const explain = (path: string, settings: Partial<Config> = {}) => {
    const error = Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', path });
    return startError({ ...config, ...settings }, error).message;
  };

  it('names the data folder only for paths inside it', () => {
    const databaseUrl = 'postgres://gatehouse@db.example/gatehouse';
    for (const settings of [{}, { databaseUrl }]) {
      assert.match(explain('/srv/data/secret', settings), /^Cannot use the data folder \/srv\/data: EACCES/);
      assert.match(explain('/srv/data', settings), /^Cannot use the data folder/);
      for (const path of ['/srv/data-2/secret', '/srv', '/opt/gatehouse/dist/x/pages.json'])
        assert.match(explain(path, settings), /^Cannot start: EACCES: permission denied/);
    }
  });

  it('names the data folder for errors of SQLite, which have no path', () => {
    assert.match(startError(config, new Error('unable to open database file')).message, /^Cannot use the data folder/);
  });
});

function copyProject(from: string): string {
  const to = mkdtempSync(join(tmpdir(), 'gatehouse-program-'));
  for (const name of parts.filter((part) => existsSync(join(from, part))))
    cpSync(join(from, name), join(to, name), { recursive: true });
  return to;
}

/** The file in which npm records the installed packages. */
function installed(root: string): string {
  return join(root, 'node_modules/.package-lock.json');
}

function readDist(root: string): string[] {
  return existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : [];
}

function buildsIn(root: string): string[] {
  return readDist(root)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(root, 'dist', name));
}

function currentBuild(root: string): string {
  const { build } = JSON.parse(readFileSync(join(root, 'dist/current.json'), 'utf8')) as { build: string };
  return join(root, 'dist', build);
}

function readSizes(folder: string): Record<string, number> {
  return Object.fromEntries(filesIn(folder).map((name) => [name, statSync(join(folder, name)).size]));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** `building` has the ids of the processes of the build and of its bundler. */
function startAndBuild(root: string) {
  const child = spawn(process.execPath, [join(root, 'src/gatehouse.js'), '--help'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code], stderr]) => ({ code, stderr }));
  const find = async (parent: number | undefined): Promise<number> => {
    for (;;) {
      assert.equal(child.exitCode, null, 'the start has ended before the build was seen');
      const found = listProcesses().find(([, ppid]) => ppid === parent)?.[0];
      if (found !== undefined) return found;
    }
  };
  const findBoth = async () => {
    const build = await find(child.pid);
    return { build, bundler: await find(build) };
  };
  return { child, ended, building: findBoth() };
}

function listProcesses(): (readonly [id: number, parent: number])[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/ +/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([id, parent]) => [Number(id), Number(parent)] as const);
}

async function expectEnded(...ids: readonly number[]): Promise<void> {
  const running = () => listProcesses().filter(([id]) => ids.includes(id));
  for (let round = 0; round < 20 && running().length > 0; round++) await sleep(10);
  assert.deepEqual(running(), []);
}

async function expectNoBuild(root: string, as: typeof nobody = {}): Promise<void> {
  const { code, stdout, stderr } = await help(root, as);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, new RegExp(said));
}

function help(root: string, as: typeof nobody = {}) {
  return run(root, ['src/gatehouse.js', '--help'], as);
}

async function run(
  root: string,
  [file = '', ...args]: readonly string[],
  options: typeof nobody & { env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}
