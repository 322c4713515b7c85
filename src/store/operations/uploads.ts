// Uploads in the store: room is reserved before a byte is taken, and becomes a file, or free again, in one commit.
import type {
  KnownUpload,
  Quota,
  Reservation,
  ReservationOutcome,
  Settlement,
  SettlementOutcome,
} from '../../files/stored-file.ts';
import { insert, openRows, type RowSet, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';
import { fromFile, toFile } from './file-rows.ts';

/** Locking the user's usage row makes the user's uploads follow one another here, on every node. */
export const reserveUpload = operation(
  async (transaction, inputs: readonly Reservation[]): Promise<ReservationOutcome[]> => {
    const userIds = inputs.map((input) => input.userId);
    const keyIds = inputs.map((input) => input.keyId);
    // The user is locked too: the first upload finds no usage row to lock, and must not make one for a user who is being deleted.
    const [users, usage, keys] = await Promise.all([
      openRows(transaction, 'users', 'id', userIds),
      openRows(transaction, 'file_usage', 'user_id', userIds),
      openRows(transaction, 'idempotency_keys', 'id', keyIds),
    ]);
    const files = await openRows(
      transaction,
      'files',
      'id',
      keyIds.map((id) => keys.get(id ?? null)?.file_id),
    );
    const under = await uploadsOf(transaction, userIds);
    const begun: Row<'uploads'>[] = [];
    const outcomes = inputs.map((input): ReservationOutcome => {
      if (users.get(input.userId) === undefined) return { kind: 'gone' };
      const known = knownBy(input.keyId, keys, files, input.now);
      if (known !== undefined) return known;
      const mine = [...under, ...begun].filter((row) => row.user_id === input.userId && row.sweep_at > input.now);
      if (input.keyId !== undefined && mine.some((row) => row.key_id === input.keyId)) return { kind: 'in progress' };
      const used = usageOf(usage, input.userId);
      if (!fits(used, mine, { bytes: input.bytes, files: 1 }, input.quota)) return { kind: 'full' };
      usage.put({ user_id: input.userId, ...used });
      begun.push({
        id: input.uploadId,
        user_id: input.userId,
        bytes: input.bytes,
        key_id: input.keyId ?? null,
        sweep_at: input.leaseUntil,
      });
      return { kind: 'reserved' };
    });
    await Promise.all([usage.save(), insert(transaction, 'uploads', begun)]);
    return outcomes;
  },
);

export const settleUpload = operation(
  async (transaction, inputs: readonly Settlement[]): Promise<SettlementOutcome[]> => {
    const userIds = inputs.map((input) => input.file.userId);
    const keyIds = inputs.map((input) => input.key?.id);
    const [usage, keys] = await Promise.all([
      openRows(transaction, 'file_usage', 'user_id', userIds),
      openRows(transaction, 'idempotency_keys', 'id', keyIds),
    ]);
    const files = await openRows(
      transaction,
      'files',
      'id',
      keyIds.map((id) => keys.get(id ?? null)?.file_id),
    );
    let under = await uploadsOf(transaction, userIds);
    const events: DatedEvent[] = [];
    const outcomes = inputs.map((input): SettlementOutcome => {
      const { file, now } = input;
      // Every reservation made one; it went with the user.
      if (usage.get(file.userId) === undefined) return { kind: 'gone' };
      const known = knownBy(input.key?.id, keys, files, now);
      if (known !== undefined) return known;
      under = under.filter((row) => row.id !== input.uploadId);
      const others = under.filter((row) => row.user_id === file.userId && row.sweep_at > now);
      const used = usageOf(usage, file.userId);
      if (!fits(used, others, { bytes: file.size, files: 1 }, input.quota)) return { kind: 'full' };
      usage.put({ user_id: file.userId, bytes: used.bytes + file.size, files: used.files + 1 });
      files.put(fromFile(file));
      if (input.key !== undefined) {
        keys.put({
          id: input.key.id,
          fingerprint: input.key.fingerprint,
          file_id: file.id,
          sweep_at: input.key.keptUntil,
        });
      }
      events.push({
        kind: 'file.stored',
        userId: file.userId,
        detail: { file: file.id, purpose: file.purpose, size: file.size },
        now,
      });
      return { kind: 'stored' };
    });
    await Promise.all([usage.save(), keys.save(), files.save(), writeAudit(transaction, events)]);
    await remove(
      transaction,
      'uploads',
      inputs.map((input) => ({ id: input.uploadId })),
    );
    return outcomes;
  },
);

export const releaseUpload = operation(async (transaction, ids: readonly string[]) => {
  await remove(
    transaction,
    'uploads',
    ids.map((id) => ({ id })),
  );
  return ids.map(() => undefined);
});

export const holdUpload = operation(
  async (transaction, inputs: readonly { uploadId: string; leaseUntil: number }[]) => {
    const uploads = await openRows(
      transaction,
      'uploads',
      'id',
      inputs.map((input) => input.uploadId),
    );
    for (const { uploadId, leaseUntil } of inputs) {
      const row = uploads.get(uploadId);
      if (row !== undefined) uploads.put({ ...row, sweep_at: leaseUntil });
    }
    await uploads.save();
    return inputs.map(() => undefined);
  },
);

export function usageOf(usage: RowSet<'file_usage'>, userId: string): Quota {
  const row = usage.get(userId);
  return { bytes: row?.bytes ?? 0, files: row?.files ?? 0 };
}

function knownBy(
  keyId: string | undefined,
  keys: RowSet<'idempotency_keys'>,
  files: RowSet<'files'>,
  now: number,
): KnownUpload | undefined {
  const key = keys.get(keyId ?? null);
  const file = files.get(key?.file_id ?? null);
  if (key === undefined || file === undefined || key.sweep_at <= now) return undefined;
  return { kind: 'known', fingerprint: key.fingerprint, file: toFile(file) };
}

function fits(used: Quota, others: readonly Row<'uploads'>[], wanted: Quota, quota: Quota): boolean {
  const reserved = others.reduce((sum, row) => sum + row.bytes, 0);
  return (
    used.bytes + reserved + wanted.bytes <= quota.bytes && used.files + others.length + wanted.files <= quota.files
  );
}

async function uploadsOf(transaction: Transaction, userIds: readonly string[]): Promise<Row<'uploads'>[]> {
  return transaction.all(underWay, { wanted: [...new Set(userIds)].map((userId) => ({ user_id: userId })) });
}

const underWay = statement<Row<'uploads'>>(
  ({ all, isAmong }) => sql`select ${all('uploads')} from uploads where ${isAmong('uploads', 'user_id', 'wanted')}`,
);
