// Lists all users in the order of their ids, with everything that an export writes.
import type { ExportedUser } from '../../../backend/export-user.ts';
import type { Row } from '../../engine/schema.ts';
import { reading } from '../../engine/transaction.ts';
import { findLastUses } from '../auth/last-uses.ts';
import { nextUsers } from './backend-users.ts';

export const listExported = reading(
  async (transaction, pages: readonly { after: string; most: number }[]): Promise<ExportedUser[][]> => {
    const outputs: ExportedUser[][] = [];
    for (const page of pages) {
      const rows = await transaction.all(nextUsers, page);
      const uses = await findLastUses(transaction, rows);
      outputs.push(rows.map((row) => toExported(row, uses)));
    }
    return outputs;
  },
);

function toExported(row: Row<'users'>, uses: ReadonlyMap<string, number>): ExportedUser {
  return {
    id: row.id,
    externalId: row.external_id ?? undefined,
    phone: row.phone ?? undefined,
    email: row.email ?? undefined,
    createdAt: row.created_at,
    lastSeenAt: uses.get(row.id) ?? row.created_at,
    blockedAt: row.blocked_at ?? undefined,
    claims: row.claims ?? undefined,
    publicMetadata: row.metadata_public ?? undefined,
    privateMetadata: row.metadata_private ?? undefined,
  };
}
