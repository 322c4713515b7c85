// What uploads under way have reserved, as rows.

import type { Quota } from '../../../../files/quota.ts';
import type { RoomQuestion } from '../../../../files/stored-file.ts';
import { judgeRoom, type OpenUpload, sumReserved } from '../../../../files/uploads/upload-rules.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { lookup, reading, type Transaction } from '../../../engine/transaction.ts';

export const hasRoom = lookup(async (transaction, inputs: readonly RoomQuestion[]): Promise<boolean[]> => {
  const wanted = [...new Set(inputs.map((input) => input.userId))].map((user_id) => ({ user_id }));
  const rows = await transaction.all(usedAndReserved, { wanted });
  const used = new Map(rows.map(({ user_id, bytes, files }) => [user_id, { bytes, files }]));
  return inputs.map((input) => judgeRoom(used.get(input.userId), input));
});

/** The uploads under way, by user. */
export async function openUploads(
  transaction: Transaction,
  userIds: readonly UserId[],
): Promise<Map<string, OpenUpload[]>> {
  const byUser = new Map<string, OpenUpload[]>(userIds.map((userId) => [userId, []]));
  const rows = await transaction.all(underWay, { wanted: [...byUser.keys()].map((userId) => ({ user_id: userId })) });
  for (const { id, user_id, bytes, key_id, sweep_at } of rows)
    byUser.get(user_id)?.push({ id, bytes, keyId: key_id ?? undefined, leaseUntil: sweep_at });
  return byUser;
}

export const measureReserved = reading(
  async (transaction, inputs: readonly { readonly userId: UserId; readonly now: number }[]): Promise<Quota[]> => {
    const open = await openUploads(
      transaction,
      inputs.map((input) => input.userId),
    );
    return inputs.map(({ userId, now }) => sumReserved(open.get(userId) ?? [], now));
  },
);

/** What is stored and what is reserved, added up. */
const usedAndReserved = statement<{ user_id: UserId } & Quota>(
  ({ isAmong }) => sql`select user_id,
    cast(bytes + coalesce((select sum(uploads.bytes) from uploads where uploads.user_id = file_usage.user_id), 0) as bigint) as bytes,
    files + (select count(*) from uploads where uploads.user_id = file_usage.user_id) as files
    from file_usage where ${isAmong('file_usage', 'user_id', 'wanted')}`,
);

const underWay = statement<Row<'uploads'>>(
  ({ all, isAmong }) => sql`select ${all('uploads')} from uploads where ${isAmong('uploads', 'user_id', 'wanted')}`,
);
