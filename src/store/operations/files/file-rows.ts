// File records as rows and back.
import type { SharedFile } from '../../../files/sharing/sharing-rules.ts';
import type { StoredFile } from '../../../files/stored-file.ts';
import type { FileState } from '../../../files/trash/trash-rules.ts';
import type { Row } from '../../engine/schema.ts';

export function toFile(row: Row<'files'>): StoredFile {
  return {
    id: row.id,
    userId: row.user_id,
    purpose: row.purpose,
    name: row.name,
    type: row.type,
    size: row.size,
    sha256: row.sha256,
    width: row.width ?? undefined,
    height: row.height ?? undefined,
    createdAt: row.created_at,
    charset: row.charset ?? undefined,
    ...(row.keep_until !== null && { keepUntil: row.keep_until }),
    ...(row.deleted_at !== null && { deletedAt: row.deleted_at }),
  };
}

/** What the rules of the trash judge by. */
export function toFileState(row: Row<'files'>): FileState {
  return { ...toFile(row), ...(row.sweep_at !== null && { sweepAt: row.sweep_at }) };
}

/** What the rules of sharing judge by. */
export function toSharedFile(row: Row<'files'>): SharedFile {
  return { ...toFile(row), epoch: row.link_epoch ?? 0 };
}

export function fromFile(file: StoredFile): Row<'files'> {
  return {
    id: file.id,
    user_id: file.userId,
    purpose: file.purpose,
    name: file.name,
    type: file.type,
    size: file.size,
    sha256: file.sha256,
    width: file.width ?? null,
    height: file.height ?? null,
    created_at: file.createdAt,
    charset: file.charset ?? null,
    keep_until: file.keepUntil ?? null,
    deleted_at: file.deletedAt ?? null,
    sweep_at: file.keepUntil ?? null,
    link_epoch: null,
  };
}
