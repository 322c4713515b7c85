// Use case: withdraw a signing key at once; where it was the one that signs, another takes its place first.
import type { Act } from '../kernel/audit.ts';
import { listKeys } from './list-keys.ts';
import { type RotationDeps, rotateKey } from './rotate-key.ts';

/** `replacedBy` is the key that signs from now on, where one had to be made. Undefined when there is no such key. */
export async function revokeKey(
  deps: RotationDeps,
  { id, by }: { id: string; by: Act },
): Promise<{ replacedBy: string | undefined } | undefined> {
  const key = (await listKeys(deps)).find((one) => one.id === id);
  if (key === undefined) return undefined;
  // An older key must not begin to sign again.
  const replacement = key.does === 'signs' ? await rotateKey(deps, { atOnce: true, by }) : undefined;
  const isGone = await deps.signingKeys.removeKey({ id, by, now: deps.clock.now() });
  return isGone ? { replacedBy: replacement?.id } : undefined;
}
