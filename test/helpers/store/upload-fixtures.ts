// Uploads in several requests for the suites of their rules and of the store.

import { type NewUpload, newUploadId, type ResumableUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { Settlement } from '../../../src/files/stored-file.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { asUploadId, asUserId } from '../people/ids.ts';
import { type SettlementChanges, settlement, wideQuota } from './file-fixtures.ts';
import { day, noon } from './fixtures.ts';

/** 40 bytes of an unknown length are there. It ends a millisecond after noon. */
export function resumable(changes: Partial<ResumableUpload> = {}): ResumableUpload {
  return {
    id: asUploadId('upload'),
    userId: asUserId('user'),
    purpose: 'image',
    name: 'a.png',
    declaredType: 'image/png',
    digest: undefined,
    keyId: undefined,
    length: undefined,
    received: 40,
    parts: 1,
    writer: 'writer',
    finisher: undefined,
    finishUntil: undefined,
    fileId: undefined,
    createdAt: noon,
    expiresAt: noon + 1,
    endedAt: undefined,
    ...changes,
  };
}

/** 100 bytes in a day. */
export function creation(userId: UserId, changes: Partial<NewUpload> = {}): NewUpload {
  const now = changes.now ?? noon;
  return {
    id: newUploadId(),
    userId,
    purpose: 'image',
    name: 'Ünïcode 😀.png',
    declaredType: 'image/png',
    digest: undefined,
    keyId: undefined,
    length: 100,
    writer: 'writer',
    quota: wideQuota,
    expiresAt: now + day,
    now,
    ...changes,
  };
}

/** The settlement of such an upload, with its key. */
export function uploadSettlement(upload: NewUpload, changes: SettlementChanges = {}): Settlement {
  const { id: uploadId, expiresAt: leaseUntil, length: bytes = 0, ...rest } = upload;
  return settlement({ ...rest, uploadId, leaseUntil, bytes }, { isResumable: true, ...changes });
}
