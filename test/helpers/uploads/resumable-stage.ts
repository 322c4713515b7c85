// A service in memory for the use cases of uploads in several requests: the rules are real, and every call is noted.

import { hash } from 'node:crypto';
import type { FileDeps } from '../../../src/files/deps.ts';
import type { Purpose } from '../../../src/files/purpose.ts';
import { appendUpload } from '../../../src/files/resumable/append-upload.ts';
import { type CreateUpload, createUpload } from '../../../src/files/resumable/create-upload.ts';
import type { PartStore } from '../../../src/files/resumable/part-store.ts';
import { createRunningUploads } from '../../../src/files/resumable/running-uploads.ts';
import type { UploadRequest } from '../../../src/files/resumable/upload-request.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { type FileStore, newFileId } from '../../../src/files/stored-file.ts';
import type { Examiner } from '../../../src/files/uploads/examiner.ts';
import { type UploadTimes, uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { memoryBlobs, memoryLog, memorySpool, noon } from '../blobs/memory-files.ts';
import { memoryParts } from '../blobs/memory-parts.ts';
import { memoryResumables } from '../blobs/memory-resumables.ts';
import { asUserId } from '../people/ids.ts';
import { examined } from './upload-stage.ts';

const large: Purpose = {
  name: 'large',
  types: ['text/plain'],
  maxBytes: 40 * 2 ** 20,
  readableBy: 'owner',
  served: 'inline',
};

type StageChanges = {
  readonly blobs?: Partial<BlobStore>;
  readonly parts?: Partial<PartStore>;
  readonly files?: Partial<FileStore>;
  readonly examiner?: Partial<Examiner>;
  readonly times?: Partial<UploadTimes>;
  readonly quotaBytes?: number;
  readonly enter?: (bytes: number | undefined) => void;
};

export function stageUploads(changes: StageChanges = {}) {
  const calls: string[] = [];
  const time = { now: noon };
  const resumables = memoryResumables(calls);
  const parts = memoryParts(calls, () => memorySpool(calls), changes.parts);
  const blobs = memoryBlobs({}, { parts, ...changes.blobs });
  const examiner: Partial<Examiner> = {
    examine: async (_userId, spool) => {
      calls.push('examine');
      const bytes = await spool.reader.read(0, spool.size);
      return { examined, kept: { size: spool.size, sha256: hash('sha256', bytes) }, fingerprint: 'print' };
    },
    ...changes.examiner,
  };
  const runningUploads = createRunningUploads();
  const { log } = memoryLog();
  const deps = {
    clock: { now: () => time.now },
    files: { settle: resumables.settle, isStored: async () => false, ...changes.files },
    blobs,
    examiner,
    scanning: undefined,
    removals: { end: async () => undefined },
    newFileIds: { take: async () => newFileId(), renew: () => undefined },
    purposes: [large],
    quota: { bytes: changes.quotaBytes ?? 2 ** 30, files: 5 },
    spoolBudget: {
      look: async () => undefined,
      enter: (_userId: string, bytes?: number) => {
        calls.push(`enter ${bytes}`);
        changes.enter?.(bytes);
        return { take: () => undefined, leave: () => void calls.push('leave') };
      },
    },
    uploadTimes: { ...uploadTimes, ...changes.times },
    resumables,
    runningUploads,
    uploadLifeSeconds: 3600,
    appendBytes: 1000,
    log,
  } as unknown as FileDeps;
  const progress: number[] = [];
  const created: string[] = [];
  const request = (content: string, changed: Partial<UploadRequest> = {}): UploadRequest => ({
    arrivedAt: performance.now(),
    isComplete: false,
    length: undefined,
    digests: [],
    bodyLength: content.length,
    body: () => bodyOf(content),
    signal: new AbortController().signal,
    onProgress: (received) => void progress.push(received),
    ...changed,
  });
  const create = (content: string, changed: Partial<CreateUpload> = {}) =>
    createUpload(deps, {
      ...request(content),
      userId: asUserId('ann'),
      purpose: 'large',
      name: 'sent.txt',
      declaredType: 'text/plain',
      digest: undefined,
      idempotencyKey: undefined,
      onCreated: ({ id }) => void created.push(id),
      ...changed,
    });
  const append = (offset: number, content: string, changed: Partial<UploadRequest> & { userId?: UserId } = {}) => {
    const { userId = 'ann', ...rest } = changed;
    return appendUpload(deps, {
      ...request(content, rest),
      uploadId: created.at(-1) ?? '',
      userId: asUserId(userId),
      offset,
    });
  };
  const newest = () => resumables.uploads.get(created.at(-1) ?? '');
  /** The only stored file. */
  const content = () => [...blobs.contents.values()].map(({ bytes }) => bytes.toString());
  return { deps, calls, resumables, parts, blobs, time, progress, created, create, append, newest, content };
}

export async function* bodyOf(...chunks: readonly (string | Buffer)[]): AsyncIterable<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** A body that stays open after its chunks until it fails. */
export function hangingBody(...chunks: readonly (string | Buffer)[]) {
  const { promise: failing, reject } = Promise.withResolvers<never>();
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  failing.catch(() => undefined);
  const body = async function* (): AsyncIterable<Buffer> {
    yield* bodyOf(...chunks);
    resolve();
    await failing;
  };
  return { body, fail: reject, taken };
}
