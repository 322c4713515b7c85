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
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const project = new URL('../', import.meta.url).pathname;
const said = 'Signs users in';
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const parts = ['src', 'web', 'client/src', 'locales', 'scripts/build', 'package.json', 'package-lock.json'];

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
    while (readDist(root).length === 0) await sleep(5);
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
    for (const name of readdirSync(build)) assert.ok(!readFileSync(join(build, name), 'utf8').includes(root), name);
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
    const packages = { ...lock.packages, 'node_modules/fastify': { version: '0.0.0' } };
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

async function expectNoBuild(root: string, as: typeof nobody = {}): Promise<void> {
  const { code, stdout, stderr } = await help(root, as);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, new RegExp(said));
}

function help(root: string, as: typeof nobody = {}) {
  return run(root, ['src/gatehouse.js', '--help'], as);
}

async function run(root: string, [file = '', ...args]: readonly string[], as: typeof nobody = {}) {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...as });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}
