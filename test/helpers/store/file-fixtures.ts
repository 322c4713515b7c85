// File inputs for the store's suites: reservations, settlements, and complete files of existing users.

import type { Quota } from '../../../src/files/quota.ts';
import {
  newFileId,
  newReservationId,
  type Reservation,
  type Settlement,
  type StoredFile,
} from '../../../src/files/stored-file.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { makeFile } from '../uploads/stored-file.ts';
import { day, minute, newPhone, signIn } from './fixtures.ts';

export const wideQuota: Quota = { bytes: 1_000_000, files: 1000 };

export async function newUser(ports: Ports, now: number): Promise<UserId> {
  return (await signIn(ports, newPhone(), now)).userId;
}

export function reservation(userId: UserId, now: number, changes: Partial<Reservation> = {}): Reservation {
  const leaseUntil = now + minute;
  return {
    uploadId: newReservationId(),
    userId,
    bytes: 100,
    quota: wideQuota,
    keyId: undefined,
    leaseUntil,
    now,
    ...changes,
  };
}

export function storedFile(userId: UserId, createdAt: number, changes: Partial<StoredFile> = {}): StoredFile {
  const picture = { purpose: 'image', name: 'Ünïcode 😀.png', type: 'image/png', size: 100, width: 3, height: 2 };
  return makeFile({ id: newFileId(), userId, ...picture, createdAt, ...changes });
}

export type SettlementChanges = Partial<Omit<Settlement, 'file'>> & { readonly file?: Partial<StoredFile> };

/** The settlement of such a reservation, with its key. */
export function settlement(reserved: Reservation, { file, ...changes }: SettlementChanges = {}): Settlement {
  const { uploadId, userId, keyId, bytes, quota, now } = reserved;
  const key = keyId === undefined ? undefined : { id: keyId, fingerprint: `bytes of ${keyId}`, keptUntil: now + day };
  return { uploadId, file: storedFile(userId, now, { size: bytes, ...file }), quota, key, now, ...changes };
}

/** Reserves and settles. */
export async function store(
  { files }: Ports,
  userId: UserId,
  now: number,
  changes: { reservation?: Partial<Reservation>; file?: Partial<StoredFile> } = {},
): Promise<StoredFile> {
  const reserved = reservation(userId, now, changes.reservation);
  const settled = settlement(reserved, changes.file === undefined ? {} : { file: changes.file });
  const outcomes = [await files.reserve(reserved), await files.settle(settled)].map(({ kind }) => kind);
  if (outcomes.join() !== 'reserved,stored') throw new Error(`not stored: ${outcomes.join()}`);
  return settled.file;
}
