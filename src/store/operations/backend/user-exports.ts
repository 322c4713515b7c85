// Lists all users in the order of their ids, with everything that an export writes.
import type { BackendUser } from '../../../auth/directory/user-directory.ts';
import { reading } from '../../engine/transaction.ts';
import { toBackendUser } from '../auth/identity/user-rows.ts';
import { findLastUses } from '../auth/sessions/last-uses.ts';
import { nextUsers } from './backend-users.ts';

export const listExported = reading(
  async (transaction, pages: readonly { after: string; most: number }[]): Promise<BackendUser[][]> => {
    const outputs: BackendUser[][] = [];
    for (const page of pages) {
      const rows = await transaction.all(nextUsers, page);
      const uses = await findLastUses(transaction, rows);
      outputs.push(rows.map((row) => toBackendUser(row, uses)));
    }
    return outputs;
  },
);
