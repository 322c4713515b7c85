// What an install contains: exact versions, each with a known hash, and no install script runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Lock = { packages: Record<string, { version?: string; integrity?: string; link?: boolean }> };
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

describe('installed packages', () => {
  it('every dependency has an exact version and a SHA-512 hash', () => {
    const manifest = JSON.parse(read('package.json')) as Manifest;
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      for (const [name, version] of Object.entries(manifest[group])) {
        assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
        assert.equal(packages[`node_modules/${name}`]?.version, version, name);
      }
    }
    const unheld = Object.entries(packages).filter(
      ([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''),
    );
    assert.deepEqual(unheld, []);
  });

  it('no install script of a package runs', () => {
    assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  });

  it('the project brings its own Node, in the same version everywhere', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as Manifest;
    const versions = Object.entries(optionalDependencies).filter(([name]) => /^node-/.test(name));
    assert.ok(versions.length >= 4);
    assert.deepEqual(new Set(versions.map(([, version]) => version)).size, 1);
    assert.equal(process.versions.node.split('.')[0], versions[0]?.[1].split('.')[0]);
  });
});
