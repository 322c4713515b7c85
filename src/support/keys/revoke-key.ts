// Use case: revoke a signing key at once. If it is the key that signs, a new key replaces it first.
import type { Act } from '../../kernel/audit.ts';
import { listKeys } from './list-keys.ts';
import { type RotationDeps, rotateKey } from './rotate-key.ts';

/** `replacedBy` is the id of the new signing key, if one was created. The result is undefined if there is no key with this id. */
export async function revokeKey(
  deps: RotationDeps,
  { id, by }: { id: string; by: Act },
): Promise<{ replacedBy: string | undefined } | undefined> {
  const key = (await listKeys(deps)).find((listed) => listed.id === id);
  if (key === undefined) return undefined;
  // Without a replacement, an older key would sign again.
  const replacement = key.does === 'signs' ? await rotateKey(deps, { atOnce: true, by }) : undefined;
  const isRemoved = await deps.signingKeys.removeKey({ id, by, now: deps.clock.now() });
  return isRemoved ? { replacedBy: replacement?.id } : undefined;
}
