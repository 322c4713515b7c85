// The search finds faults that were planted in the service, from valid inputs only. `npm run fuzz -- --faults` tries all of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownFaults } from './planted-faults.ts';
import { seekFault } from './seek-fault.ts';

/** Several times what each of these needs. The others take minutes. */
const mostInputs = 400_000;
const quick = ['prove-pdf', 'prove-wav', 'prove-jpeg'];

describe('a planted fault', () => {
  for (const fault of knownFaults.filter(({ target }) => quick.includes(target))) {
    it(`${fault.name} is found by ${fault.target}`, async (test) => {
      const { findings, executions } = await seekFault(fault, { seed: 2, mostExecutions: mostInputs });
      const [finding] = findings;
      assert.ok(finding !== undefined, `not found in ${executions} inputs`);
      assert.match(finding.signature, fault.signature);
      test.diagnostic(`found after ${finding.executions} inputs`);
    });
  }
});
