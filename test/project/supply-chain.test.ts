// What an install contains: exact versions, each with a known hash, and no install script runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Locked = {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};
type Lock = { packages: Record<string, Locked> };
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

describe('installed packages', () => {
  it('every dependency has an exact version and a SHA-512 hash', () => {
    const manifest = JSON.parse(read('package.json')) as Manifest;
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      for (const [name, version] of Object.entries(manifest[group])) {
        // A package under a name of ours: npm:express@5.3.0.
        const exact = /^(?:npm:[\w-]+@)?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(version)?.[1];
        assert.ok(exact, `${name} ${version}`);
        assert.equal(packages[`node_modules/${name}`]?.version, exact, name);
      }
    }
    const unheld = Object.entries(packages).filter(
      ([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''),
    );
    assert.deepEqual(unheld, []);
  });

  it('no package of development is installed in production, not even as the optional peer of another', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as Manifest;
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    const kept = Object.keys(devDependencies).filter((name) => packages[`node_modules/${name}`]?.dev !== true);
    assert.deepEqual(kept, []);
  });

  it('no install script of a package runs', () => {
    assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  });

  it('no package of production has an install script', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    const scripted = Object.entries(packages).filter(
      ([, { dev, devOptional, hasInstallScript }]) => hasInstallScript === true && dev !== true && devOptional !== true,
    );
    assert.deepEqual(
      scripted.map(([path]) => path),
      [],
    );
  });

  it('sharp is optional and has a build for each machine that the project brings Node for, with either C library of Linux', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as Manifest;
    const { packages } = JSON.parse(read('package-lock.json')) as Lock;
    const { version } = packages['node_modules/sharp'] ?? {};
    assert.equal(optionalDependencies.sharp, version);
    const machines = ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64', 'darwin-x64', 'darwin-arm64'];
    for (const machine of [...machines, 'win32-x64']) {
      const found = packages[`node_modules/@img/sharp-${machine}`];
      assert.deepEqual([found?.version, found?.optional, found?.dev], [version, true, undefined], machine);
    }
  });

  it('the project brings its own Node, in the same version everywhere', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as Manifest;
    const versions = Object.entries(optionalDependencies).filter(([name]) => /^node-/.test(name));
    assert.ok(versions.length >= 4);
    assert.deepEqual(new Set(versions.map(([, version]) => version)).size, 1);
    assert.equal(process.versions.node.split('.')[0], versions[0]?.[1].split('.')[0]);
  });
});
