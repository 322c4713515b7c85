// For the sweep of parts: lists uploads in several requests that have ended, forgets their parts, and says which uploads have a record.

import { listForSweep, rememberUntil } from '../../../../files/resumable/resumable-state.ts';
import type { UploadId } from '../../../../kernel/ids.ts';
import { listBy, update } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { fromUpload, openResumables, removeParts, toUpload } from './resumable-rows.ts';

export const listEnded = operation(
  async (transaction, inputs: readonly { readonly now: number; readonly most: number }[]): Promise<UploadId[][]> => {
    const outputs: UploadId[][] = [];
    for (const { now, most } of inputs) {
      const due = await transaction.all(dueUploads, { now, most });
      const swept = due.map((row) => listForSweep(toUpload(row), now));
      const listed = swept.map(({ next, sweepAt }) => fromUpload(next, sweepAt));
      await update(transaction, 'resumables', listed, ['writer', 'finisher', 'finish_until', 'ended_at', 'sweep_at']);
      outputs.push(swept.map(({ next }) => next.id));
    }
    return outputs;
  },
);

/** An upload that has not ended is left alone. */
export const forgetParts = operation(
  async (transaction, inputs: readonly { readonly uploadId: UploadId; readonly now: number }[]) => {
    const ids = inputs.map((input) => input.uploadId);
    const resumables = await openResumables(transaction, ids);
    const forgotten = new Set<UploadId>();
    for (const { uploadId, now } of inputs) {
      const upload = resumables.get(uploadId);
      if (upload?.endedAt === undefined) continue;
      const until = rememberUntil(upload.endedAt, now);
      if (until === undefined) resumables.forget(uploadId, now);
      else resumables.put(upload, until);
      forgotten.add(uploadId);
    }
    await resumables.save({ hasNoBytes: true });
    await removeParts(transaction, [...forgotten]);
    return inputs.map(() => undefined);
  },
);

export const known = reading(async (transaction, inputs: readonly (readonly UploadId[])[]): Promise<UploadId[][]> => {
  const rows = await listBy(transaction, 'resumables', 'id', inputs.flat());
  const known = new Set(rows.map(({ id }) => id));
  return inputs.map((ids) => ids.filter((id) => known.has(id)));
});

const dueUploads = statement<Row<'resumables'>>(
  ({ all, value, lock }) => sql`select ${all('resumables')} from resumables where sweep_at <= ${value('now')}
    order by sweep_at, id limit ${value('most')} ${lock('skip')}`,
);
