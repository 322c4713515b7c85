// Use case: make the next signing key before its time; the ones before it verify until their last token has ended.

import { makeSigningKey, type SigningKeyPolicy, type SigningKeyStore } from '../auth/signing-key.ts';
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import type { Secrets } from '../kernel/secrets.ts';

export type RotationDeps = {
  readonly signingKeys: SigningKeyStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly policy: SigningKeyPolicy;
};

/** `atOnce` skips the day in which others that verify learn of the key. */
export async function rotateKey(
  { signingKeys, secrets, clock, policy }: RotationDeps,
  { atOnce, by }: { atOnce: boolean; by: Act },
): Promise<{ id: string; activeFrom: number }> {
  const now = clock.now();
  const activeFrom = atOnce ? now : now + policy.publishAheadSeconds * 1000;
  const newest = (await signingKeys.listKeys()).at(-1);
  const key = makeSigningKey(secrets, (newest?.generation ?? 0) + 1, activeFrom, now);
  // Another node made that generation in this moment: its key is as new as ours would have been, yet not what was asked for.
  if (!(await signingKeys.addKey({ ...key, by })))
    throw new Failure('SERVICE_UNAVAILABLE', {}, new Error('another node made a key in this moment'));
  return { id: key.id, activeFrom };
}
