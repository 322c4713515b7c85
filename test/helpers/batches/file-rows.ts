// Generated rows of files, uploads, quotas and Idempotency-Keys.
import fc from 'fast-check';
import {
  day,
  few,
  fileIds,
  flag,
  hour,
  keyIds,
  maybe,
  minute,
  noon,
  ownerOf,
  pick,
  second,
  uploadIds,
  userIds,
  type ValueOf,
} from './pool.ts';
import { signInRows, userRows } from './rows.ts';
import { joined, rowsFor } from './tables.ts';

const file = fc.record({ user: few(2), size: few(3), isImage: flag });

const files = rowsFor<'files', ValueOf<typeof file>>(fileIds.slice(0, 3), file, (id, { user, size, isImage }, at) => ({
  id,
  user_id: userIds[user] ?? '',
  purpose: 'image',
  name: `file ${at}`,
  type: 'image/png',
  size: size * 100,
  sha256: 'ab',
  width: isImage ? 3 : null,
  height: isImage ? 2 : null,
  created_at: noon - hour + at,
}));

const usage = rowsFor<'file_usage', { bytes: number; files: number }>(
  userIds,
  fc.record({ bytes: few(4).map((count) => count * 100), files: few(3) }),
  (user_id, used) => ({ user_id, ...used }),
);

const lease = fc.constantFrom(-second, 2 * second, 10 * minute, day);

const uploads = rowsFor<'uploads', { bytes: number; key: string | undefined; lease: number }>(
  uploadIds.slice(0, 4),
  fc.record({ bytes: few(3), key: maybe(pick(keyIds)), lease }),
  (id, { bytes, key, lease: until }, at) => ({
    id,
    user_id: ownerOf(at),
    bytes: bytes * 100,
    key_id: key ?? null,
    sweep_at: noon + until,
  }),
);

const keys = rowsFor<'idempotency_keys', { file: string; lease: number }>(
  keyIds,
  fc.record({ file: pick(fileIds), lease }),
  (id, { file: file_id, lease: until }) => ({ id, fingerprint: `print of ${id}`, file_id, sweep_at: noon + until }),
);

const ofFiles = fc.record({ files, file_usage: usage, uploads, idempotency_keys: keys });

export const fileRows = joined(userRows, ofFiles);
export const allUserRows = joined(signInRows, ofFiles);
