// The end of an upload in several requests: one caller at a time stores its file, under a lease.
import { judgeFinish, leaveFinish as left, renewFinish } from '../../../../files/resumable/resumable-rules.ts';
import type {
  BeginFinish,
  FinishOutcome,
  HoldFinish,
  ResumableUpload,
} from '../../../../files/resumable/resumable-upload.ts';
import { listBy, openRows, type RowSet } from '../../../engine/rows.ts';
import { operation } from '../../../engine/transaction.ts';
import { openResumables } from './resumable-rows.ts';
import { storedFiles, toReservation } from './resumables.ts';

export const beginFinish = operation(async (transaction, inputs: readonly BeginFinish[]): Promise<FinishOutcome[]> => {
  const ids = inputs.map((input) => input.uploadId);
  const reservations = await openRows(transaction, 'uploads', 'id', ids);
  const resumables = await openResumables(transaction, ids);
  const files = await storedFiles(transaction, resumables, inputs);
  const judged = inputs.map((input) => {
    const upload = resumables.get(input.uploadId);
    const { outcome, next } = judgeFinish(upload, files.get(upload?.fileId), input);
    if (next !== undefined) resumables.put(next);
    if (outcome.kind === 'begun') reserve(reservations, outcome.upload);
    return outcome;
  });
  await reservations.save();
  await resumables.save();
  const begun = judged.flatMap((outcome) => (outcome.kind === 'begun' ? [outcome.upload.id] : []));
  const rows = await listBy(transaction, 'upload_parts', 'upload_id', begun);
  const byUpload = Map.groupBy(rows, (row) => row.upload_id);
  return judged.map((outcome): FinishOutcome => {
    if (outcome.kind !== 'begun') return outcome;
    const parts = (byUpload.get(outcome.upload.id) ?? []).toSorted((a, b) => a.first_byte - b.first_byte);
    return {
      ...outcome,
      parts: parts.map(({ id, first_byte, bytes }) => ({ id, firstByte: first_byte, bytes })),
    };
  });
});

export const holdFinish = operation(async (transaction, inputs: readonly HoldFinish[]): Promise<boolean[]> => {
  const ids = inputs.map((input) => input.uploadId);
  const reservations = await openRows(transaction, 'uploads', 'id', ids);
  const resumables = await openResumables(transaction, ids);
  const outcomes = inputs.map((input) => {
    const next = renewFinish(resumables.get(input.uploadId), input);
    if (next === undefined) return false;
    resumables.put(next);
    reserve(reservations, next);
    return true;
  });
  await reservations.save();
  await resumables.save();
  return outcomes;
});

export const leaveFinish = operation(
  async (transaction, inputs: readonly { readonly uploadId: string; readonly finisher: string }[]) => {
    const resumables = await openResumables(
      transaction,
      inputs.map((input) => input.uploadId),
    );
    for (const { uploadId, finisher } of inputs) {
      const next = left(resumables.get(uploadId), finisher);
      if (next !== undefined) resumables.put(next);
    }
    await resumables.save();
    return inputs.map(() => undefined);
  },
);

/** The reservation lasts as long as the upload. */
function reserve(reservations: RowSet<'uploads'>, upload: ResumableUpload): void {
  reservations.put(toReservation(upload));
}
