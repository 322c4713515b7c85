// Hands bytes to a real examiner as an upload does: through a spool, for a purpose that accepts every type.

import { type MediaType, mediaTypes } from '#media/media-type';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import type { Examiner, Findings, Question } from '../../../src/files/uploads/examiner.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { Log } from '../../../src/kernel/process/telemetry.ts';
import { spoolOf } from '../blobs/blobs.ts';
import { asUserId } from '../people/ids.ts';

const silent = () => undefined;
export const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent };

export const anyQuestion: Question = {
  purpose: {
    name: 'any',
    types: Object.keys(mediaTypes) as MediaType[],
    maxBytes: 2 ** 30,
    readableBy: 'owner',
    served: 'attachment',
  },
  name: 'a file',
  declaredType: undefined,
  digest: undefined,
  needsFingerprint: false,
};

export async function examineBytes(
  examiner: Examiner,
  folder: string,
  bytes: Buffer,
  changes: Partial<Question> = {},
  userId = asUserId('somebody'),
): Promise<Findings> {
  const spool = await spoolOf(createDiskBlobs(folder), bytes, 2 ** 20);
  try {
    return await examiner.examine(userId, spool, { ...anyQuestion, ...changes });
  } finally {
    await spool.discard();
  }
}

/** The failure code, or undefined if the file is proved. */
export async function verdictOf(examining: Promise<Findings>): Promise<string | undefined> {
  try {
    await examining;
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
