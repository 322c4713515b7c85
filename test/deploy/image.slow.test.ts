// The image without a container engine: the copies and steps of the Dockerfile run in a folder, and the service starts from it
// as an unprivileged user, with production packages only, on a tree that it cannot write.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { documents, sources } from '../../scripts/build/find-build.js';
import { settings } from '../../src/config/settings.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { enter, me, outcomeOf } from '../helpers/people/users.ts';
import { copiesOf, type Instruction, readDockerfile, root, takenBy, valuesOf } from '../helpers/services/dockerfile.ts';

const [build = [], final = []] = readDockerfile();
const nobody = 65_534;

describe('the image', () => {
  it('the image runs the build as an unprivileged user with the command of npm start, without npm', () => {
    const [user = ''] = valuesOf(final, 'USER');
    assert.match(user, /^[1-9]\d*:[1-9]\d*$/);
    const entry = JSON.parse(valuesOf(final, 'ENTRYPOINT')[0] ?? '') as string[];
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    const [setting] = /MALLOC_ARENA_MAX=\d+/.exec(valuesOf(final, 'ENV')[0] ?? '') ?? [];
    assert.equal(`${setting} exec ${entry.join(' ').replace('/app/', '')}`, scripts.start.replace('src/', 'dist/'));
    assert.ok(final.every(({ name, rest }) => name === 'FROM' || !/\bnpm\b/.test(rest)));
  });

  it('the image names existing settings and the default ports, and checks /readyz', () => {
    const names = [...(valuesOf(final, 'ENV')[0] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    const others = ['PATH', 'NODE_ENV', 'MALLOC_ARENA_MAX'];
    assert.deepEqual(
      names.filter((name) => !others.includes(name) && !(name in settings)),
      [],
    );
    assert.deepEqual(valuesOf(final, 'EXPOSE'), [`${settings.PORT.default} ${settings.METRICS_PORT.default}`]);
    assert.match(valuesOf(final, 'HEALTHCHECK')[0] ?? '', /\/readyz/);
    assert.deepEqual(valuesOf(final, 'VOLUME'), ['/var/lib/gatehouse']);
  });

  it('the .dockerignore file allows only the files that the image copies', () => {
    const allowed = readFileSync(`${root}.dockerignore`, 'utf8').split('\n');
    assert.equal(
      allowed.find((line) => line !== '' && !line.startsWith('#')),
      '*',
    );
    for (const source of [build, final].flatMap(copiesOf).flatMap(({ sources: copied }) => copied)) {
      assert.ok(existsSync(join(root, source)), source);
      const [top = ''] = source.split('/');
      assert.ok(allowed.includes(`!${source}`) && allowed.includes(`!${top}`), `${source} is ignored`);
    }
  });
});

describe('the build stage of the image', () => {
  it('the build stage copies every source and document of the build and installs the build tools', () => {
    const copied = copiesOf(build).flatMap((copy) => copy.sources);
    const needed = [...sources, ...documents].filter((source) => existsSync(join(root, source)));
    assert.deepEqual(
      needed.filter((source) => !copied.includes(source)),
      [],
    );
    assert.deepEqual(valuesOf(build, 'RUN').slice(1), ['npm ci', 'npm run build', 'npm prune --omit=dev']);
  });
});

describe('the service from the image', () => {
  let folder: string;
  let app: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
    chmodSync(folder, 0o755);
    const builder = join(folder, 'builder');
    copyInto(builder, build);
    symlinkSync(join(root, 'node_modules'), join(builder, 'node_modules'));
    execFileSync(process.execPath, ['scripts/build/build.ts'], { cwd: builder, stdio: 'pipe' });
    app = join(folder, 'app');
    copyInto(app, final);
    for (const { path, target } of takenBy(final)) {
      if (path === 'node_modules') installForProduction(app);
      else cpSync(join(builder, path), join(app, target), { recursive: true });
    }
    rmSync(builder, { recursive: true });
    for (const name of ['src', 'web', 'scripts', 'node_modules/esbuild', 'node_modules/@esbuild'])
      assert.ok(!existsSync(join(app, name)), name);
    execFileSync('chmod', ['-R', 'a+rX,a-w', app]);
  });
  after(() => {
    execFileSync('chmod', ['-R', 'u+w', app]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('the service from the image starts, serves its pages, signs in users and stops with 0 on SIGTERM', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const runAs = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    if (runAs.uid !== undefined) chownSync(data, nobody, nobody);
    const port = await freePort();
    const [command = '', ...rest] = JSON.parse(valuesOf(final, 'ENTRYPOINT')[0] ?? '') as string[];
    const child = spawn(
      join(app, 'node_modules/.bin', command),
      rest.map((word) => word.replace('/app', app)),
      {
        cwd: app,
        ...runAs,
        stdio: ['ignore', 'ignore', 'pipe'],
        // No other environment, and no folder for compiled code, as on a read-only root.
        env: { PORT: String(port), DATA_DIR: data, METRICS_PORT: 'off', LOG_LEVEL: 'silent', TMPDIR: '/nowhere' },
      },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(child, 'exit');
    try {
      const url = `http://127.0.0.1:${port}`;
      const isReady = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      for (let round = 0; !(await isReady()); round++) {
        assert.ok(child.exitCode === null && round < 600, said);
        await sleep(50);
      }
      const page = await fetch(`${url}/`);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<script[^>]+src="\/assets\/[^"]+\.js"/);
      const script = await fetch(`${url}/docs/docs.js`);
      assert.match(await script.text(), /gatehouse-docs-token/);
      const { JWT } = await enter(url);
      assert.equal(outcomeOf(await me(url, JWT)), '200');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    } finally {
      child.kill('SIGKILL');
    }
    assert.ok(readdirSync(data).includes('gatehouse.db'));
  });
});

function copyInto(folder: string, stage: readonly Instruction[]): void {
  for (const { sources: copied, target } of copiesOf(stage)) {
    for (const source of copied) {
      const place = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
      mkdirSync(dirname(place), { recursive: true });
      cpSync(join(root, source), place, { recursive: true });
    }
  }
}

/** Copies the installed packages that the lock file does not mark as development, as `npm prune --omit=dev` would leave them. */
function installForProduction(app: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(app, path)), { recursive: true });
    // A package inside another is copied with it, or after it.
    if (!existsSync(join(app, path)))
      cpSync(join(root, path), join(app, path), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
  }
  mkdirSync(join(app, 'node_modules/.bin'), { recursive: true });
  cpSync(join(root, 'node_modules/.bin/node'), join(app, 'node_modules/.bin/node'), { verbatimSymlinks: true });
}
