// The file in which a node remembers its cluster: what it holds, that it never falls, and that a damaged one is refused.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { nothingRemembered } from '../../../src/store/postgres/choose-server.ts';
import { memoryFile, readMemory, writeMemory } from '../../../src/store/postgres/cluster-memory.ts';

describe('the file that remembers the cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-memory-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = memoryFile(join(folder, 'data'));

  it('a node without the file remembers nothing', () => assert.deepEqual(readMemory(path), nothingRemembered));

  it('what was written is read, a lower timeline changes nothing, and a later adoption does', () => {
    const two = { system: '7', timeline: 2, adoptedAt: 0 };
    writeMemory(path, two);
    writeMemory(path, { ...two, timeline: 1 });
    assert.deepEqual(readMemory(path), two);
    writeMemory(path, { system: '8', timeline: 1, adoptedAt: 5 });
    assert.deepEqual(readMemory(path), { system: '8', timeline: 1, adoptedAt: 5 });
    assert.deepEqual(readdirSync(join(folder, 'data')), ['database-cluster.json']);
  });

  for (const text of [
    '',
    '{',
    '{}',
    '[]',
    'null',
    '{"system":"7","timeline":-1,"adoptedAt":0}',
    '{"system":7,"timeline":1,"adoptedAt":0}',
  ])
    it(`a file with ${JSON.stringify(text)} is refused`, () => {
      writeFileSync(path, text);
      assert.throws(() => readMemory(path), { code: 'CLUSTER_FILE' });
    });
});
