// The ids that cross folders, each a type of its own.
import type { Brand } from './brand.ts';
import { newId } from './crypto/random.ts';
import { parseUuid } from './crypto/uuid.ts';

export type UserId = Brand<'UserId'>;

export function newUserId(): UserId {
  return newId() as UserId;
}

/** As a caller names it. Undefined if it has not the form of an id. */
export function readUserId(text: string): UserId | undefined {
  return parseUuid(text) as UserId | undefined;
}

/** Only text in this form becomes the path or the key of a blob. */
export type FileId = Brand<'FileId'>;

/** Only text in this form becomes the folder of parts, or the beginning of their keys. */
export type UploadId = Brand<'UploadId'>;
