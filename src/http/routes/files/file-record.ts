// The record of a file in answers: schema, example and conversion.
import type { StoredFile } from '../../../files/stored-file.ts';
import { fileUrl } from '../../interface/paths.ts';
import { integer, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export const fileRecord = object(
  {
    id: text({ pattern: '^fil_[A-Za-z0-9_-]{22}$' }),
    purpose: text(),
    name: text(),
    type: text(),
    size: integer(),
    sha256: text({ description: 'SHA-256 of the stored bytes, in hex' }),
    createdAt: isoTime,
    url: text(),
  },
  { width: integer(), height: integer() },
);

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

export function toWire({ id, purpose, name, type, size, sha256, width, height, createdAt }: StoredFile) {
  return {
    id,
    purpose,
    name,
    type,
    size,
    sha256,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    createdAt: new Date(createdAt).toISOString(),
    url: fileUrl(id),
  };
}
