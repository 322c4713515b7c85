// The id under which the store keeps an Idempotency-Key.

import type { BackendAct } from '../../kernel/audit.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import type { UserId } from '../../kernel/ids.ts';

type KeyOwner = {
  readonly userId: UserId;
  readonly by?: BackendAct | undefined;
  readonly idempotencyKey: string | undefined;
};

/** A user and a service key never meet in one Idempotency-Key: the id of a user has no space in it, and is never “service”. */
export function keyIdOf({ userId, by, idempotencyKey }: KeyOwner): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return sha256(by === undefined ? `${userId} ${idempotencyKey}` : `service ${by.key} ${userId} ${idempotencyKey}`);
}
