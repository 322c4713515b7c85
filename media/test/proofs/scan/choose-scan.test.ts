// Where the process may not reserve the addresses that vector instructions need, texts are scanned without them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canUseVectors } from '../../../src/proofs/scan/choose-scan.ts';

describe('how texts are scanned', () => {
  const limitsOf = (space: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax address space         ${space.padEnd(20)} unlimited            bytes\n`;
  const cases = [
    { name: 'Linux without a limit', hasWebAssembly: true, limits: limitsOf('unlimited'), expected: true },
    { name: 'a system that lists no limits', hasWebAssembly: true, limits: '', expected: true },
    { name: 'a limit of 4 GiB', hasWebAssembly: true, limits: limitsOf('4294967296'), expected: false },
    { name: 'Node that compiles nothing', hasWebAssembly: false, limits: limitsOf('unlimited'), expected: false },
  ];
  for (const { name, expected, ...machine } of cases)
    it(`${name}: ${expected ? 'with' : 'without'} vector instructions`, () =>
      assert.equal(canUseVectors(machine), expected));
});
