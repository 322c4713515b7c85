// File records as rows and back.
import type { StoredFile } from '../../files/stored-file.ts';
import type { Row } from '../engine/schema.ts';

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
  };
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
  };
}
