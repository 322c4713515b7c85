// The record of a file in answers: schema, example and conversion.
import type { StoredFile } from '../../../files/stored-file.ts';
import type { TrashedFile } from '../../../files/trash/trash.ts';
import { fileUrl } from '../../interface/paths.ts';
import { integer, list, named, nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export const fileFields = {
  required: {
    id: text({ pattern: '^fil_[A-Za-z0-9_-]{22}$', examples: ['fil_3q2-7wAAAAAAAAAAAAAAAA'] }),
    purpose: text(),
    name: text(),
    type: text(),
    size: integer(),
    sha256: text({ description: 'SHA-256 of the stored bytes, in hex' }),
    createdAt: isoTime,
    url: text(),
  },
  optional: {
    width: integer({ description: 'Of a picture or a video, before it is turned upright' }),
    height: integer({ description: 'The same. Swap both for a picture whose orientation turns it by 90 degrees' }),
    charset: text({ description: 'The encoding of a text, by its name in the WHATWG Encoding Standard' }),
    keepUntil: { ...isoTime, description: 'When the file is removed, if its purpose keeps files for a time only' },
  },
};

export const fileRecord = named('FileRecord', object(fileFields.required, fileFields.optional));

export const filePage = named('FilePage', object({ files: list(fileRecord), next: nullable(text()) }));

export const fileRecordExample = {
  id: 'fil_3q2-7wAAAAAAAAAAAAAAAA',
  purpose: 'avatar',
  name: 'me.jpg',
  type: 'image/jpeg',
  size: 48213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  width: 1024,
  height: 1024,
  createdAt: '2026-11-15T09:30:00.000Z',
  url: fileUrl('fil_3q2-7wAAAAAAAAAAAAAAAA'),
};

export function toFileRecord(file: StoredFile) {
  const { id, purpose, name, type, size, sha256, width, height, charset, createdAt, keepUntil } = file;
  return {
    id,
    purpose,
    name,
    type,
    size,
    sha256,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(charset !== undefined && { charset }),
    createdAt: new Date(createdAt).toISOString(),
    ...(keepUntil !== undefined && { keepUntil: new Date(keepUntil).toISOString() }),
    url: fileUrl(id),
  };
}

/** A file in the trash has these too. */
export const trashFields = {
  deletedAt: isoTime,
  removedAt: { ...isoTime, description: 'When it can no longer be restored' },
};

export function toTrashedRecord(file: TrashedFile) {
  const { deletedAt, removedAt } = file;
  return {
    ...toFileRecord(file),
    deletedAt: new Date(deletedAt).toISOString(),
    removedAt: new Date(removedAt).toISOString(),
  };
}
