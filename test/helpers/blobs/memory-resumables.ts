// The store of uploads in several requests in memory, with the rules of the real one, for unit tests of the use cases.

import type { Quota } from '../../../src/files/quota.ts';
import type { UploadPartInfo } from '../../../src/files/resumable/part-store.ts';
import { judgeCreation } from '../../../src/files/resumable/resumable-creation.ts';
import {
  judgeAdvance,
  judgeCancel,
  judgeFinish,
  judgeTake,
  leaveFinish,
  renewFinish,
  reservedBytes,
} from '../../../src/files/resumable/resumable-rules.ts';
import { endBySettlement, refuseSettlement, statusOf } from '../../../src/files/resumable/resumable-state.ts';
import type { ResumableStore, ResumableUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { FileStore, StoredFile } from '../../../src/files/stored-file.ts';
import type { FulfilledKey } from '../../../src/files/uploads/upload-rules.ts';

type MemoryResumables = ResumableStore & {
  readonly uploads: Map<string, ResumableUpload>;
  readonly parts: Map<string, UploadPartInfo & { readonly uploadId: string }>;
  readonly keys: Map<string, FulfilledKey>;
  readonly stored: Map<string, StoredFile>;
  readonly settle: FileStore['settle'];
};

export function memoryResumables(calls: string[], used: Quota = { bytes: 0, files: 0 }): MemoryResumables {
  const uploads = new Map<string, ResumableUpload>();
  const parts = new Map<string, UploadPartInfo & { readonly uploadId: string }>();
  const keys = new Map<string, FulfilledKey>();
  const stored = new Map<string, StoredFile>();
  const save = (id: string, next: ResumableUpload | undefined) => void (next && uploads.set(id, next));
  const fileOf = (id: string) => stored.get(uploads.get(id)?.fileId ?? '');
  const reservations = () =>
    [...uploads.values()]
      .filter(({ endedAt }) => endedAt === undefined)
      .map((each) => ({ id: each.id, bytes: reservedBytes(each), keyId: each.keyId, leaseUntil: each.expiresAt }));
  const state = () => ({
    owner: 'free' as const,
    trash: [],
    used,
    uploads: reservations(),
    find: (id: string) => uploads.get(id),
  });
  const forget = (id: string) => {
    uploads.delete(id);
    for (const [key, { uploadId }] of parts) if (uploadId === id) parts.delete(key);
  };
  return {
    uploads,
    parts,
    keys,
    stored,
    create: async (upload) => {
      calls.push('create');
      const { outcome, next } = judgeCreation({ ...state(), key: keys.get(upload.keyId ?? '') }, upload);
      save(next?.id ?? '', next);
      return outcome;
    },
    take: async ({ uploadId, ...asked }) => {
      calls.push('take');
      const { outcome, next } = judgeTake(uploads.get(uploadId), fileOf(uploadId), asked);
      save(uploadId, next);
      return outcome;
    },
    advance: async ({ uploadId, parts: grown, ...ask }) => {
      const newParts = grown.filter(({ id }) => !parts.has(id)).length;
      const { outcome, next } = judgeAdvance({ ...state(), upload: uploads.get(uploadId), newParts }, ask);
      calls.push(`${outcome} ${ask.received}`);
      if (outcome === 'advanced') for (const part of grown) parts.set(part.id, { ...part, uploadId });
      save(uploadId, next);
      return outcome;
    },
    beginFinish: async ({ uploadId, ...ask }) => {
      calls.push('begin');
      const { outcome, next } = judgeFinish(uploads.get(uploadId), fileOf(uploadId), ask);
      save(uploadId, next);
      if (outcome.kind !== 'begun') return outcome;
      return { ...outcome, parts: [...parts.values()].filter((part) => part.uploadId === uploadId) };
    },
    holdFinish: async ({ uploadId, ...ask }) => {
      calls.push('hold');
      const next = renewFinish(uploads.get(uploadId), ask);
      save(uploadId, next);
      return next !== undefined;
    },
    leaveFinish: async ({ uploadId, finisher }) => {
      calls.push('leave finish');
      save(uploadId, leaveFinish(uploads.get(uploadId), finisher));
    },
    cancel: async ({ uploadId, ...ask }) => {
      const { outcome, next } = judgeCancel(uploads.get(uploadId), ask);
      calls.push(outcome);
      save(uploadId, next);
      if (outcome === 'cancelled') forget(uploadId);
      return outcome;
    },
    listEnded: async ({ now }) =>
      [...uploads.values()].filter((each) => ['stored', 'expired'].includes(statusOf(each, now))).map(({ id }) => id),
    forgetParts: async ({ uploadId }) => {
      calls.push('forget parts');
      for (const [key, part] of parts) if (part.uploadId === uploadId) parts.delete(key);
    },
    known: async (ids) => ids.filter((id) => uploads.has(id)),
    listOpen: async ({ userId, now }) =>
      [...uploads.values()].filter((each) => each.userId === userId && statusOf(each, now) === 'open'),
    settle: async (settlement) => {
      calls.push('settle');
      const { uploadId, file, now } = settlement;
      const upload = uploads.get(uploadId);
      const refusal = refuseSettlement(upload, fileOf(uploadId), { userId: file.userId, now });
      if (refusal !== undefined || upload === undefined) return refusal ?? { kind: 'ended' };
      const next = endBySettlement(upload, { kind: 'stored' }, settlement);
      save(uploadId, next);
      stored.set(file.id, file);
      return { kind: 'stored' };
    },
  };
}
