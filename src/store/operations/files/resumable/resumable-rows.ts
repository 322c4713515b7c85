// Uploads in several requests as rows and back: loads them with a lock, and saves what changed or ended together with their parts.

import { sweepTimeOf } from '../../../../files/resumable/resumable-state.ts';
import type { ResumableUpload } from '../../../../files/resumable/resumable-upload.ts';
import { type QueuedRemoval, queueRemoval } from '../../../../files/sweeps/removal-queue.ts';
import type { UploadId } from '../../../../kernel/ids.ts';
import { openRows, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { queueRemovals } from '../sweeps/removals.ts';

export type Resumables = {
  get(id: string | undefined): ResumableUpload | undefined;
  put(next: ResumableUpload, sweepAt?: number): void;
  /** With its parts. Whoever commits it removes the bytes right after. */
  forget(id: UploadId, now: number): void;
  /** Queues the bytes of what is forgotten for removal, with those of others, unless they are removed already. */
  save(bytes?: { readonly hasNoBytes: true } | { readonly alsoRemoved: readonly QueuedRemoval[] }): Promise<void>;
};

/** They are locked after their reservations, if the operation touches these. */
export async function openResumables(transaction: Transaction, ids: Iterable<string | undefined>): Promise<Resumables> {
  const rows = await openRows(transaction, 'resumables', 'id', ids);
  const gone = new Map<string, QueuedRemoval>();
  return {
    get: (id) => {
      const row = id === undefined || gone.has(id) ? undefined : rows.get(id);
      return row && toUpload(row);
    },
    put: (next, sweepAt) => rows.put(fromUpload(next, sweepAt ?? sweepTimeOf(next))),
    forget: (id, now) => void gone.set(id, queueRemoval(id, now)),
    save: async (bytes) => {
      await rows.save();
      const known = [...gone.keys()].flatMap((id) => rows.get(id)?.id ?? []);
      await remove(
        transaction,
        'resumables',
        known.map((id) => ({ id })),
      );
      await removeParts(transaction, known);
      if (bytes !== undefined && 'hasNoBytes' in bytes) return;
      const theirs = [...gone.values()].filter(({ id }) => rows.get(id) !== undefined);
      await queueRemovals(transaction, [...theirs, ...(bytes?.alsoRemoved ?? [])]);
    },
  };
}

export async function removeParts(transaction: Transaction, uploadIds: readonly UploadId[]): Promise<void> {
  const wanted = uploadIds.map((id) => ({ upload_id: id }));
  if (wanted.length > 0) await transaction.run(removePartsOf, { wanted });
}

const removePartsOf = statement<never>(({ isAmong, lockedWhere }) => {
  const areTheirs = lockedWhere('upload_parts', isAmong('upload_parts', 'upload_id', 'wanted'));
  return sql`delete from upload_parts where ${areTheirs}`;
});

export function toUpload(row: Row<'resumables'>): ResumableUpload {
  return {
    id: row.id,
    userId: row.user_id,
    purpose: row.purpose,
    name: row.name ?? undefined,
    declaredType: row.declared_type ?? undefined,
    digest: row.digest ?? undefined,
    keyId: row.key_id ?? undefined,
    length: row.length ?? undefined,
    received: row.received,
    parts: row.parts,
    writer: row.writer ?? undefined,
    finisher: row.finisher ?? undefined,
    finishUntil: row.finish_until ?? undefined,
    fileId: row.file_id ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at ?? undefined,
  };
}

export function fromUpload(upload: ResumableUpload, sweepAt: number): Row<'resumables'> {
  return {
    id: upload.id,
    user_id: upload.userId,
    purpose: upload.purpose,
    name: upload.name ?? null,
    declared_type: upload.declaredType ?? null,
    digest: upload.digest ?? null,
    key_id: upload.keyId ?? null,
    length: upload.length ?? null,
    received: upload.received,
    parts: upload.parts,
    writer: upload.writer ?? null,
    finisher: upload.finisher ?? null,
    finish_until: upload.finishUntil ?? null,
    file_id: upload.fileId ?? null,
    created_at: upload.createdAt,
    expires_at: upload.expiresAt,
    ended_at: upload.endedAt ?? null,
    sweep_at: sweepAt,
  };
}
