// The quota of a user in words.
import type { Calls } from '../../client/src/api-types.ts';
import { formatBytes } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';

type Quota = Calls['listPurposes']['data']['quota'];

/** The parts that are not empty: files, deleted files, uploads in progress. */
export function describeQuota({ usedBytes, maxBytes, trashBytes, reservedBytes }: Quota): string {
  const used = formatBytes(usedBytes - trashBytes);
  return [
    fill(texts.quota, { used, max: formatBytes(maxBytes) }),
    ...(trashBytes > 0 ? [fill(texts.quotaTrash, { size: formatBytes(trashBytes) })] : []),
    ...(reservedBytes > 0 ? [fill(texts.quotaReserved, { size: formatBytes(reservedBytes) })] : []),
  ].join(' · ');
}
