// The file in which a node remembers its cluster: what it holds, that it never falls, and that a damaged one is refused.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { newInstallationId } from '../../../src/files/storage/installation.ts';
import {
  memoryFile,
  nothingKept,
  readMemory,
  replaceMemory,
  writeMemory,
} from '../../../src/store/postgres/cluster-memory.ts';

describe('the file that remembers the cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-memory-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = memoryFile(join(folder, 'data'));

  it('a node without the file remembers nothing', () => assert.deepEqual(readMemory(path), nothingKept));

  it('what was written is read, a lower timeline changes nothing, and a later adoption does', () => {
    const installation = newInstallationId();
    const two = { system: '7', timeline: 2, adoptedAt: 0, installation };
    writeMemory(path, two);
    writeMemory(path, { ...two, timeline: 1 });
    assert.deepEqual(readMemory(path), two);
    writeMemory(path, { system: '8', timeline: 1, adoptedAt: 5, installation });
    assert.deepEqual(readMemory(path), { system: '8', timeline: 1, adoptedAt: 5, installation });
    assert.deepEqual(readdirSync(join(folder, 'data')), ['database-cluster.json']);
  });

  it('of what is known of the same time, the last installation stays', () => {
    const one = { ...readMemory(path), installation: newInstallationId() };
    writeMemory(path, one);
    assert.deepEqual(readMemory(path), one);
    writeMemory(path, { ...one, timeline: 0, installation: newInstallationId() });
    assert.deepEqual(readMemory(path), one);
  });

  it('a process that does not know the installation leaves the one that another wrote', () => {
    const there = readMemory(path);
    writeMemory(path, { ...there, installation: undefined });
    assert.deepEqual(readMemory(path), there);
    writeMemory(path, { ...there, adoptedAt: 6, installation: undefined });
    assert.deepEqual(readMemory(path), { ...there, adoptedAt: 6 });
  });

  it('the file of an older version names no installation', () => {
    writeFileSync(path, '{"system":"7","timeline":1,"adoptedAt":0}');
    assert.deepEqual(readMemory(path), { system: '7', timeline: 1, adoptedAt: 0, installation: undefined });
  });

  it('a damaged file is replaced if that is wanted', () => {
    writeFileSync(path, '{');
    const kept = { system: '7', timeline: 1, adoptedAt: 5, installation: undefined };
    replaceMemory(path, kept);
    assert.deepEqual(readMemory(path), kept);
  });

  for (const text of [
    '',
    '{',
    '{}',
    '[]',
    'null',
    '{"system":"7","timeline":-1,"adoptedAt":0}',
    '{"system":7,"timeline":1,"adoptedAt":0}',
    '{"system":"7","timeline":1,"adoptedAt":0,"installation":"other"}',
  ])
    it(`a file with ${JSON.stringify(text)} is refused`, () => {
      writeFileSync(path, text);
      assert.throws(() => readMemory(path), { code: 'CLUSTER_FILE' });
    });
});
