// The uploads in several requests that a user can go on with, newest first.
import type { OpenListing, ResumableUpload } from '../../../../files/resumable/resumable-upload.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { reading } from '../../../engine/transaction.ts';
import { toUpload } from './resumable-rows.ts';

export const listOpen = reading(async (transaction, inputs: readonly OpenListing[]): Promise<ResumableUpload[][]> => {
  const outputs: ResumableUpload[][] = [];
  for (const { userId, before, most, now } of inputs) {
    const place = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await transaction.all(openPage, { userId, most, now, createdAt: place.createdAt, id: place.id });
    outputs.push(rows.map(toUpload));
  }
  return outputs;
});

const openPage = statement<Row<'resumables'>>(
  ({ all, value }) => sql`select ${all('resumables')} from resumables where user_id = ${value('userId')}
    and file_id is null and ended_at is null and expires_at > ${value('now')}
    and (created_at < ${value('createdAt')} or (created_at = ${value('createdAt')} and id < ${value('id')}))
    order by created_at desc, id desc limit ${value('most')}`,
);
