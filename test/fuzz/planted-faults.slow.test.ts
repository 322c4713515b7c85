// The search finds faults that were planted in the service, from valid inputs only.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownFaults } from '../helpers/fuzz/planted-faults.ts';
import { seekFault } from '../helpers/fuzz/seek-fault.ts';

/** Many times what each of them needs. */
const mostInputs = 400_000;

describe('a planted fault', () => {
  for (const fault of knownFaults) {
    it(`${fault.name} is found by ${fault.target}`, async (test) => {
      const { findings, executions } = await seekFault(fault, { seed: 1, mostExecutions: mostInputs });
      const [finding] = findings;
      assert.ok(finding !== undefined, `not found in ${executions} inputs`);
      assert.match(finding.signature, fault.signature);
      test.diagnostic(`found after ${finding.executions} inputs`);
    });
  }
});
