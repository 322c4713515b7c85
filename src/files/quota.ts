// The quota of a user: how many bytes and files may be stored, including uploads in progress.
export type Quota = { readonly bytes: number; readonly files: number };

/** True if this many more bytes fit beside the stored files and the reservations of other uploads, in one file or more. */
export function fitsQuota(
  used: Quota,
  reserved: readonly { readonly bytes: number }[],
  bytes: number,
  quota: Quota,
  files = 1,
): boolean {
  const reservedBytes = reserved.reduce((sum, upload) => sum + upload.bytes, 0);
  return used.bytes + reservedBytes + bytes <= quota.bytes && used.files + reserved.length + files <= quota.files;
}

export function addToUsage(used: Quota, bytes: number): Quota {
  return { bytes: used.bytes + bytes, files: used.files + 1 };
}

/** Never negative, even if the usage was counted wrong before. */
export function takeFromUsage(used: Quota, bytes: number): Quota {
  return { bytes: Math.max(0, used.bytes - bytes), files: Math.max(0, used.files - 1) };
}
