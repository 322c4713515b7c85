// Claims on a bucket: a backup that is being sent needs objects that no index names yet, so nothing is removed meanwhile, and the other way round.
import { hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import { BackupError } from '../snapshot.ts';
import type { Bucket } from './bucket.ts';

type Work = 'sending' | 'pruning';

const claimsBeginning = 'claims/';
/** A claim that was not renewed for so long is of a process that is gone. */
const lifeMilliseconds = 24 * 3_600_000;
const renewMilliseconds = 3_600_000;

export function newClaim(work: Work, name: string): string {
  return `${claimsBeginning}${work}-${name}-${randomText(8)}`;
}

/**
 * Both write their claim before they look for the other: of two that begin together at least one sees the other, and gives up. The key
 * is of one process alone, so that nobody releases the claim of another.
 */
export async function claimBucket(bucket: Bucket, clock: Clock, key: string): Promise<() => Promise<void>> {
  await putClaim(bucket, key);
  const timer = setInterval(() => putClaim(bucket, key).catch(() => undefined), renewMilliseconds).unref();
  const release = async () => {
    clearInterval(timer);
    // A key of the bucket that may not delete leaves the claim to its end.
    await bucket.remove(key).catch(() => undefined);
  };
  try {
    await refuseOther(bucket, clock, key);
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Backups may be sent at the same time, but only one process removes. */
async function refuseOther(bucket: Bucket, clock: Clock, ownKey: string): Promise<void> {
  const prunes = (key: string) => key.startsWith(`${claimsBeginning}${'pruning' satisfies Work}-`);
  for await (const { key, modifiedAt } of bucket.list(claimsBeginning)) {
    const isPruning = prunes(key);
    const endsAt = modifiedAt + lifeMilliseconds;
    if (key === ownKey || endsAt < clock.now() || (!prunes(ownKey) && !isPruning)) continue;
    const until = new Date(endsAt).toISOString();
    throw new BackupError(
      isPruning
        ? `Old backups are being removed from the bucket. Wait until that has ended. If it was interrupted, its claim ends at ${until}, or remove the object ${key}.`
        : `A backup is being sent to the bucket, or was interrupted (${key}). Finish it with the same command, or wait until ${until}.`,
    );
  }
}

async function putClaim(bucket: Bucket, key: string): Promise<void> {
  const text = Buffer.from(`${key}\n`);
  const spool = await bucket.spool();
  try {
    await spool.write(text);
    await bucket.put(key, spool, hash('sha256', text, 'hex'));
  } finally {
    await spool.discard();
  }
}
