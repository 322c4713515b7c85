// What users have stored, as rows.

import type { Quota } from '../../../files/quota.ts';
import type { UserId } from '../../../kernel/ids.ts';
import type { RowSet } from '../../engine/rows.ts';

export function usageOf(usage: RowSet<'file_usage'>, userId: UserId): Quota {
  const row = usage.get(userId);
  return { bytes: row?.bytes ?? 0, files: row?.files ?? 0 };
}
