// Ended uploads in several requests, for the sweep of their parts: listed, forgotten, and told from uploads that nobody knows.
import { listForSweep, rememberUntil } from '../../files/resumable-state.ts';
import { listBy, update } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { fromUpload, openResumables, removeParts, toUpload } from './resumable-rows.ts';

export const listEndedUploads = operation(
  async (transaction, inputs: readonly { readonly now: number; readonly most: number }[]): Promise<string[][]> => {
    const outputs: string[][] = [];
    for (const { now, most } of inputs) {
      const due = await transaction.all(dueUploads, { now, most });
      const listed = due.map((row) => {
        const { next, sweepAt } = listForSweep(toUpload(row), now);
        return fromUpload(next, sweepAt);
      });
      await update(transaction, 'resumables', listed, ['writer', 'finisher', 'finish_until', 'ended_at', 'sweep_at']);
      outputs.push(listed.map(({ id }) => id));
    }
    return outputs;
  },
);

/** An upload that has not ended is left alone. */
export const forgetUploadParts = operation(
  async (transaction, inputs: readonly { readonly uploadId: string; readonly now: number }[]) => {
    const ids = inputs.map((input) => input.uploadId);
    const resumables = await openResumables(transaction, ids);
    const forgotten = new Set<string>();
    for (const { uploadId, now } of inputs) {
      const upload = resumables.get(uploadId);
      if (upload?.endedAt === undefined) continue;
      const until = rememberUntil(upload.endedAt, now);
      resumables.put(until === undefined ? undefined : upload, uploadId, until);
      forgotten.add(uploadId);
    }
    await resumables.save();
    await removeParts(transaction, [...forgotten]);
    return inputs.map(() => undefined);
  },
);

export const knownUploads = reading(
  async (transaction, inputs: readonly (readonly string[])[]): Promise<string[][]> => {
    const rows = await listBy(transaction, 'resumables', 'id', inputs.flat());
    const known = new Set(rows.map(({ id }) => id));
    return inputs.map((ids) => ids.filter((id) => known.has(id)));
  },
);

const dueUploads = statement<Row<'resumables'>>(
  ({ all, value, lock }) => sql`select ${all('resumables')} from resumables where sweep_at <= ${value('now')}
    order by sweep_at, id limit ${value('most')} ${lock('skip')}`,
);
