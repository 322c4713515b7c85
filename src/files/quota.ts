// The quota of a user: how many bytes and files may be stored, uploads under way included.
export type Quota = { readonly bytes: number; readonly files: number };

/** Whether one more file fits beside what is stored and what other uploads have reserved. */
export function fitsQuota(
  used: Quota,
  reserved: readonly { readonly bytes: number }[],
  bytes: number,
  quota: Quota,
): boolean {
  const reservedBytes = reserved.reduce((sum, upload) => sum + upload.bytes, 0);
  return used.bytes + reservedBytes + bytes <= quota.bytes && used.files + reserved.length + 1 <= quota.files;
}

export function addToUsage(used: Quota, bytes: number): Quota {
  return { bytes: used.bytes + bytes, files: used.files + 1 };
}

/** Never less than nothing, even where the usage was counted wrong before. */
export function takeFromUsage(used: Quota, bytes: number): Quota {
  return { bytes: Math.max(0, used.bytes - bytes), files: Math.max(0, used.files - 1) };
}
