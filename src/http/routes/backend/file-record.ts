// The record of a file for the back end: the record that its owner sees, and who the owner is.
import type { StoredFile } from '../../../files/stored-file.ts';
import { named, object, text } from '../../interface/schema.ts';
import { fileFields, fileRecordExample, toFileRecord } from '../files/file-record.ts';

export const backendFile = named(
  'File',
  object({ ...fileFields.required, userId: text({ format: 'uuid' }) }, fileFields.optional),
);

export const backendFileExample = { ...fileRecordExample, userId: '0192f6a0-5c1e-4d9b-8f3a-2b7c6d5e4f10' };

export function toBackendFile(file: StoredFile) {
  return { ...toFileRecord(file), userId: file.userId };
}
