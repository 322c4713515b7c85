// Use case: create the next signing key early. Older keys verify until their last token has expired.

import { makeSigningKey, type SigningKeyPolicy, type SigningKeyStore } from '../../auth/tokens/signing-key.ts';
import type { Act } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { Failure } from '../../kernel/failure.ts';

export type RotationDeps = {
  readonly signingKeys: SigningKeyStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly policy: SigningKeyPolicy;
};

/** `atOnce` skips the day in which other services that verify tokens fetch the new key. */
export async function rotateKey(
  { signingKeys, secrets, clock, policy }: RotationDeps,
  { atOnce, by }: { atOnce: boolean; by: Act },
): Promise<{ id: string; activeFrom: number }> {
  const now = clock.now();
  const activeFrom = atOnce ? now : now + policy.publishAheadSeconds * 1000;
  const newest = (await signingKeys.listKeys()).at(-1);
  const key = makeSigningKey(secrets, (newest?.generation ?? 0) + 1, activeFrom, now);
  // Another node created this generation at the same time. Its key is new too, but may have a different start time.
  if (!(await signingKeys.addKey({ ...key, by })))
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      { retryAfterSeconds: 1 },
      new Error('another node created a key at the same time'),
    );
  return { id: key.id, activeFrom };
}
