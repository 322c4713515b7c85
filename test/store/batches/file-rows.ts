// Generated rows of files, uploads, quotas and Idempotency-Keys.
import fc from 'fast-check';
import { mostPartsOf } from '../../../src/files/resumable/resumable-upload.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import {
  callerIds,
  day,
  favour,
  few,
  fileIds,
  flag,
  hour,
  keyIds,
  maybe,
  minute,
  noon,
  ownerOf,
  partIds,
  pick,
  second,
  uploadIds,
  userIds,
  type ValueOf,
} from './pool.ts';
import { signInRows, userRows } from './rows.ts';
import { fileLinks, fileReaders } from './sharing-rows.ts';
import { joined, rowsFor } from './tables.ts';

/** Relative to noon: kept, and some that are over before or between the moments of the inputs. */
const keepUntil = fc.constantFrom(undefined, undefined, undefined, -second, 30 * second, day);
const trash = fc.constantFrom(undefined, undefined, { since: hour, life: minute }, { since: minute, life: 2 * hour });

const file = fc.record({ user: few(2), size: few(3), isImage: flag, keepUntil, trash, epoch: maybe(few(1)) });

const files = rowsFor<'files', ValueOf<typeof file>>(
  fileIds.slice(0, 3),
  file,
  (id, { user, size, isImage, epoch, ...times }, at) => ({
    id: asFileId(id),
    user_id: userIds[user] ?? asUserId(''),
    purpose: 'image',
    name: `file ${at}`,
    type: 'image/png',
    size: size * 100,
    sha256: 'ab',
    width: isImage ? 3 : null,
    height: isImage ? 2 : null,
    created_at: noon - hour + at,
    charset: isImage ? null : 'shift_jis',
    ...timesOf(times),
    link_epoch: epoch ?? null,
  }),
);

/** As the rules leave them: the sweep comes when the first of the two times is over. */
function timesOf(given: Pick<ValueOf<typeof file>, 'keepUntil' | 'trash'>) {
  const keep = given.keepUntil === undefined ? null : noon + given.keepUntil;
  if (given.trash === undefined) return { keep_until: keep, deleted_at: null, sweep_at: keep };
  const { since, life } = given.trash;
  const end = noon - since + life;
  return { keep_until: keep, deleted_at: noon - since, sweep_at: keep === null ? end : Math.min(keep, end) };
}

const usage = rowsFor<'file_usage', { bytes: number; files: number }>(
  userIds,
  fc.record({ bytes: few(4).map((count) => count * 100), files: few(3) }),
  (user_id, used) => ({ user_id: asUserId(user_id), ...used }),
);

const lease = fc.constantFrom(-second, 2 * second, 10 * minute, day);

const uploads = rowsFor<'uploads', { bytes: number; key: string | undefined; lease: number }>(
  uploadIds.slice(0, 4),
  fc.record({ bytes: few(3), key: maybe(pick(keyIds)), lease }),
  (id, { bytes, key, lease: until }, at) => ({
    id: asUploadId(id),
    user_id: ownerOf(at),
    bytes: bytes * 100,
    key_id: key ?? null,
    sweep_at: noon + until,
  }),
);

const keys = rowsFor<'idempotency_keys', { file: string; lease: number }>(
  keyIds,
  fc.record({ file: pick(fileIds), lease }),
  (id, { file: file_id, lease: until }) => ({
    id,
    fingerprint: `print of ${id}`,
    file_id: asFileId(file_id),
    sweep_at: noon + until,
  }),
);

const resumable = fc.record({
  key: maybe(pick(keyIds)),
  length: fc.constantFrom(undefined, undefined, 3, 4),
  received: few(3),
  writer: favour(callerIds),
  finisher: maybe(favour(callerIds)),
  lease: favour([-second, 10 * second, hour]),
  life: favour([day, -hour, -second, 10 * second]),
  file: fc.constantFrom(undefined, undefined, undefined, undefined, ...fileIds.slice(0, 2)),
  isEnded: fc.constantFrom(false, false, false, true),
  endedAgo: fc.constantFrom(0, hour, 2 * day),
});

const resumables = rowsFor<'resumables', ValueOf<typeof resumable>>(
  uploadIds.slice(0, 4),
  resumable,
  (id, chosen, at) => {
    const isEnded = chosen.isEnded || chosen.file !== undefined;
    return {
      id: asUploadId(id),
      user_id: ownerOf(at),
      purpose: 'image',
      name: 'a name',
      declared_type: null,
      digest: null,
      key_id: chosen.key ?? null,
      length: chosen.length === undefined ? null : chosen.length * 100,
      received: chosen.received * 100,
      parts: at === 0 ? 1 : mostPartsOf(0) - 1,
      writer: isEnded ? null : chosen.writer,
      finisher: isEnded ? null : (chosen.finisher ?? null),
      finish_until: isEnded || chosen.finisher === undefined ? null : noon + chosen.lease,
      file_id: chosen.file ?? null,
      created_at: noon - day,
      expires_at: noon + chosen.life,
      ended_at: isEnded ? noon - chosen.endedAgo : null,
      sweep_at: isEnded ? noon - chosen.endedAgo + hour : noon + chosen.life,
    };
  },
);

const parts = rowsFor<'upload_parts', ValueOf<typeof flag>>(partIds.slice(0, 4), flag, (id, isLong, at) => ({
  id,
  upload_id: uploadIds[at % 2] ?? asUploadId(''),
  first_byte: at * 100,
  bytes: isLong ? 100 : 50,
}));

const removals = rowsFor<'removals', { due: number; looks: number }>(
  [...fileIds.slice(1, 4), ...uploadIds.slice(3, 5)],
  fc.record({ due: fc.constantFrom(-hour, 0, minute, day), looks: fc.constantFrom(1, 2) }),
  (id, { due, looks }) => ({ id: asFileId(id), due_at: noon + due, tries: 1, looks }),
);

/** Of the files that settlements make, most of them. */
export const newIds = Array.from({ length: 4 }, (_, at) => asFileId(`fil_new${at}`));

const pending = rowsFor<'pending_files', number>(newIds, fc.constantFrom(-hour, minute, hour, day), (id, due) => ({
  id: asFileId(id),
  due_at: noon + due,
}));

const ofFiles = fc.record({
  files,
  file_links: fileLinks,
  file_readers: fileReaders,
  file_usage: usage,
  uploads,
  idempotency_keys: keys,
  resumables,
  upload_parts: parts,
  pending_files: pending,
  removals,
});

export const fileRows = joined(userRows, ofFiles);
export const allUserRows = joined(signInRows, ofFiles);
