// The owners of files as rows of users: locked, so that a block or a deletion comes before an act or after it.

import type { OwnerState } from '../../../files/owner-state.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { openRows } from '../../engine/rows.ts';
import type { Transaction } from '../../engine/transaction.ts';

type Owners = (userId: UserId) => OwnerState;

/** Users are locked before every table of files. */
export async function openOwners(transaction: Transaction, userIds: Iterable<string>): Promise<Owners> {
  const users = await openRows(transaction, 'users', 'id', userIds);
  return (userId) => {
    const row = users.get(userId);
    if (row === undefined) return 'gone';
    return row.blocked_at === null ? 'free' : 'blocked';
  };
}
