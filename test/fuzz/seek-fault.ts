// Plants a fault, and searches for it from valid inputs only.
import { execute } from './engine/execute.ts';
import { type FuzzReport, fuzz } from './engine/fuzz.ts';
import type { KnownFault } from './known-fault.ts';
import { instrumentTarget, readTargets } from './load-target.ts';

type Seek = { readonly seed: number; readonly mostExecutions: number; readonly isGuided?: boolean };

export async function seekFault(fault: KnownFault, options: Seek): Promise<FuzzReport> {
  const inputs = await validInputs(fault.target);
  const { target, literals } = await instrumentTarget(fault.target, fault);
  return fuzz(target, { ...options, inputs, literals, mostFindings: 1 });
}

/** What the target without the fault accepts. */
async function validInputs(name: string): Promise<Buffer[]> {
  const target = (await readTargets()).find((candidate) => candidate.name === name);
  const accepted: Buffer[] = [];
  for (const input of (await target?.seeds()) ?? []) {
    if (target !== undefined && (await execute(target, input)).verdict === 'accepted') accepted.push(input);
  }
  return accepted;
}
