// An upload of three bytes with scripted parts, which notes every call, for unit tests of the use case.

import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { FileDeps } from '../../../src/files/deps.ts';
import type { Purpose } from '../../../src/files/purpose.ts';
import type { BodyBound } from '../../../src/files/spool/body-bound.ts';
import { giveBack, type Segment, takeSegment } from '../../../src/files/spool/segments.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { type FileStore, newFileId } from '../../../src/files/stored-file.ts';
import type { Examiner, Question } from '../../../src/files/uploads/examiner.ts';
import type { UploadPart } from '../../../src/files/uploads/take-parts.ts';
import { type UploadFile, uploadFile } from '../../../src/files/uploads/upload-file.ts';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { memorySpool, noon } from '../blobs/memory-files.ts';
import { asUserId } from '../people/ids.ts';

export const never = new Promise<never>(() => undefined);
const purpose = (name: string, maxBytes: number): Purpose => ({
  name,
  types: ['text/plain'],
  maxBytes,
  readableBy: 'owner',
  served: 'inline',
});
export const [small, large] = [purpose('small', 10), purpose('large', 20_000)];
export const quota = { bytes: 1000, files: 5 };
export const examined = {
  type: 'text/plain',
  name: 'a.txt',
  width: undefined,
  height: undefined,
  charset: 'utf-8',
} as const;
export const kept = { size: 3, sha256: 'hash of what is kept' };

export type UploadChanges = {
  spool?: Partial<Spool>;
  blobs?: Partial<BlobStore>;
  files?: Partial<FileStore>;
  examiner?: Partial<Examiner>;
  times?: Partial<typeof uploadTimes>;
  look?: () => Promise<void>;
  enter?: () => never;
  input?: Partial<UploadFile>;
  parts?: readonly UploadPart[];
  purposes?: readonly Purpose[];
  /** True: the upload stays in memory. Otherwise other uploads have all segments, and it goes to a file. */
  isHeld?: true;
};

export const field = (name: string, value: string): UploadPart => ({ kind: 'field', name, value });
export const part = (content = 'abc'): UploadPart => ({
  kind: 'file',
  name: 'sent.txt',
  type: 'text/x',
  bytes: (async function* () {
    yield Buffer.from(content);
  })(),
});

/** An upload of three bytes with scripted parts. Notes each call: its name, and what it was given. */
export function stageUpload(changes: UploadChanges = {}) {
  const seen: [call: string, given?: unknown][] = [];
  let bound: BodyBound | undefined;
  const note =
    <T>(call: string, value: T) =>
    async (given?: unknown) => {
      seen.push([call, given]);
      return value;
    };
  const spool = memorySpool([], { discard: note('discard', undefined), ...changes.spool });
  const blobs = {
    spool: async () => {
      seen.push(['spool']);
      return spool;
    },
    keep: async (given: Spool, id: string, hash: string, signal: AbortSignal) => {
      assert.equal(given.held !== undefined, changes.isHeld === true);
      seen.push(['keep', { id, hash, isAborted: signal.aborted }]);
    },
    remove: note('remove', undefined),
    ...changes.blobs,
  } as Partial<BlobStore> as BlobStore;
  const files = {
    hasRoom: note('hasRoom', false),
    reserve: note('reserve', { kind: 'reserved' }),
    settle: note('settle', { kind: 'stored' }),
    release: note('release', undefined),
    hold: note('hold', undefined),
    isStored: note('isStored', true),
    ...changes.files,
  } as Partial<FileStore> as FileStore;
  const examiner = {
    admit: (userId: UserId) => void seen.push(['admit', userId]),
    examine: async (userId: UserId, given: Spool, question: Question) => {
      if (changes.isHeld !== true) assert.equal(given, spool);
      seen.push(['examine', { userId, question }]);
      return { examined, kept, fingerprint: 'print' };
    },
    fingerprint: async (userId: UserId) => {
      seen.push(['fingerprint', userId]);
      return 'print';
    },
    ...changes.examiner,
  } as Examiner;
  const spoolBudget = {
    look: changes.look ?? note('look', undefined),
    enter: (userId: UserId, declared?: number) => {
      seen.push(['enter', [userId, declared]]);
      changes.enter?.();
      return {
        take: (bytes: number) => void seen.push(['take', bytes]),
        leave: () => void seen.push(['leave']),
      };
    },
  };
  const deps = {
    clock: { now: () => noon },
    files,
    blobs,
    examiner,
    removals: { end: note('end', undefined) },
    newFileIds: { take: async () => newFileId(), renew: (id: string) => void seen.push(['renew', id]) },
    purposes: changes.purposes ?? [small, large],
    quota,
    spoolBudget,
    uploadTimes: { ...uploadTimes, stepMilliseconds: 60_000, keepMilliseconds: 60_000, ...changes.times },
  } as unknown as FileDeps;
  const client = new AbortController();
  const input: UploadFile = {
    userId: asUserId('ann'),
    purpose: 'small',
    bodyLength: undefined,
    isBare: true,
    idempotencyKey: undefined,
    digest: undefined,
    signal: client.signal,
    parts: (given) => {
      bound = given;
      return (async function* () {
        yield* changes.parts ?? [part()];
      })();
    },
    ...changes.input,
  };
  const run = () => {
    const taken = changes.isHeld === true ? [] : takeAllSegments();
    return uploadFile(deps, input).finally(() => taken.forEach(giveBack));
  };
  const calls = () => seen.map(([call]) => call).join(' ');
  const given = (wanted: string) => seen.filter(([call]) => call === wanted).map(([, value]) => value);
  return { run, seen, calls, given, leave: () => client.abort(), boundOf: () => bound };
}

function takeAllSegments(): Segment[] {
  const taken: Segment[] = [];
  for (let segment = takeSegment(); segment !== undefined; segment = takeSegment()) taken.push(segment);
  return taken;
}

/** How many segments are free. */
export function countSlots(): number {
  const segments = takeAllSegments();
  segments.forEach(giveBack);
  return segments.length;
}

/** Lets every promise that can settle do so. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn();
}
