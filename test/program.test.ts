// The bundle that a start runs: made when the sources have changed, by whoever comes first, and done without where it cannot be made.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';

const project = new URL('../', import.meta.url).pathname;
const said = 'Signs users in';

describe('the program', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-program-'));
    for (const name of ['src', 'web/texts', 'package.json', 'package-lock.json'])
      cpSync(join(project, name), join(root, name), { recursive: true });
    mkdirSync(join(root, 'node_modules'));
    for (const name of readdirSync(join(project, 'node_modules')).filter((found) => found !== '.cache'))
      symlinkSync(join(project, 'node_modules', name), join(root, 'node_modules', name));
    // One of its own, because it is written to.
    rmSync(installed(root));
    cpSync(installed(project), installed(root));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('runs from its sources where it cannot be bundled', async () => {
    const bundler = join(root, 'node_modules/esbuild');
    renameSync(bundler, `${bundler}-away`);
    assert.match(await help(root), new RegExp(said));
    renameSync(`${bundler}-away`, bundler);
    assert.deepEqual(bundlesIn(root), []);
  });

  it('is bundled once, whoever is first, and leaves nothing half done', async () => {
    const texts = await Promise.all([help(root), help(root), help(root)]);
    for (const each of texts) assert.match(each, new RegExp(said));
    assert.equal(bundlesIn(root).length, 1);
    assert.match(await help(root), new RegExp(said));
    assert.equal(bundlesIn(root).length, 1);
  });

  it('names no folder of the machine it was made on, so that both may be moved together', () => {
    const [bundle = ''] = bundlesIn(root);
    for (const name of readdirSync(bundle)) assert.ok(!readFileSync(join(bundle, name), 'utf8').includes(root), name);
  });

  it('runs from its sources where the packages are those of another tree', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-program-'));
    for (const name of ['src', 'web', 'package.json', 'package-lock.json'])
      cpSync(join(root, name), join(other, name), { recursive: true });
    writeFileSync(join(other, 'src/unused.ts'), '');
    symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
    assert.match(await help(other), new RegExp(said));
    rmSync(other, { recursive: true });
    assert.equal(bundlesIn(root).length, 1);
  });

  it('is bundled anew when npm has installed something else', async () => {
    writeFileSync(installed(root), `${readFileSync(installed(root), 'utf8')}\n`);
    assert.match(await help(root), new RegExp(said));
    assert.equal(bundlesIn(root).length, 2);
  });

  it('is bundled anew when a source has changed', async () => {
    const source = join(root, 'src/commands/program.ts');
    writeFileSync(source, readFileSync(source, 'utf8').replace(said, 'Opens the door'));
    assert.match(await help(root), /Opens the door/);
    assert.equal(bundlesIn(root).length, 3);
  });
});

/** What npm writes down of the packages that are there. */
function installed(root: string): string {
  return join(root, 'node_modules/.package-lock.json');
}

function bundlesIn(root: string): string[] {
  const folder = join(root, 'node_modules/.cache/gatehouse');
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

async function help(root: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'src/gatehouse.js'), '--help'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}
