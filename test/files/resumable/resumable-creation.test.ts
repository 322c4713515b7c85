// The creation of an upload in several requests: what it finds of its quota, its key and an open upload.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeCreation } from '../../../src/files/resumable/resumable-creation.ts';
import type { NewUpload, ResumableUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { FulfilledKey, OpenUpload } from '../../../src/files/uploads/upload-rules.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { storedFile } from '../../helpers/store/file-fixtures.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';
import { resumable } from '../../helpers/store/upload-fixtures.ts';

const quota = { bytes: 100, files: 3 };
const none = { bytes: 0, files: 0 };
const file = storedFile(asUserId('user'), noon);
const finishing = { finisher: 'finisher', finishUntil: noon + 1, writer: undefined };

describe('the creation of an upload', () => {
  const ask: NewUpload = {
    id: asUploadId('new'),
    userId: asUserId('user'),
    purpose: 'image',
    name: 'a.png',
    declaredType: 'image/png',
    digest: undefined,
    keyId: 'key',
    length: 60,
    writer: 'newer',
    quota,
    expiresAt: noon + day,
    now: noon,
  };
  const created = {
    outcome: { kind: 'created' },
    next: resumable({
      id: asUploadId('new'),
      keyId: 'key',
      length: 60,
      received: 0,
      parts: 0,
      writer: 'newer',
      expiresAt: noon + day,
    }),
  };
  const held: OpenUpload = { id: asUploadId('upload'), bytes: 1, keyId: 'key', leaseUntil: noon + 1 };
  const digest = Buffer.from('abcd', 'hex').toString('base64');
  const key: FulfilledKey = { fingerprint: 'abcd', keptUntil: noon + 1, file };
  const state = (changes: Partial<Parameters<typeof judgeCreation>[0]> = {}) => ({
    owner: 'free' as const,
    trash: [],
    used: none,
    uploads: [],
    key: undefined,
    find: () => undefined,
    ...changes,
  });
  const beside = (changes: Partial<ResumableUpload> = {}, uploads = [held]) =>
    state({ uploads, find: (id) => (id === 'upload' ? resumable({ keyId: 'key', ...changes }) : undefined) });
  const taken = (changes: Partial<ResumableUpload> = {}) => {
    const upload = resumable({ keyId: 'key', ...changes, writer: 'newer' });
    return { outcome: { kind: 'open', upload }, next: upload };
  };
  const trashed = { id: asFileId('old'), userId: asUserId('ann'), size: 10 };
  const only = (kind: string) => ({ outcome: { kind } });
  const waiting = (until: number) => ({ outcome: { kind: 'in progress', until } });
  const known = { outcome: { kind: 'known', fingerprint: 'abcd', file } };
  const cases: [what: string, Parameters<typeof judgeCreation>[0], Partial<NewUpload>, unknown][] = [
    ['of a user with room', state(), {}, created],
    ['of a deleted user', state({ owner: 'gone' as const }), {}, only('gone')],
    ['of a deleted user with an open upload', { ...beside(), owner: 'gone' as const }, {}, only('gone')],
    ['of a blocked user', state({ owner: 'blocked' as const }), {}, only('blocked')],
    ['of a blocked user with an open upload', { ...beside(), owner: 'blocked' as const }, {}, only('blocked')],
    [
      'for which the trash makes room',
      state({ used: { bytes: 50, files: 2 }, trash: [trashed] }),
      {},
      { ...created, room: { used: { bytes: 40, files: 1 }, removed: [trashed] } },
    ],
    ['without room', state({ used: { bytes: 41, files: 1 } }), {}, only('full')],
    ['without room beside another upload', state({ uploads: [{ ...held, keyId: 'x', bytes: 41 }] }), {}, only('full')],
    ['with the key of a plain upload', state({ uploads: [held] }), {}, waiting(noon + 1)],
    ['with the key of an open upload', beside(), {}, taken()],
    [
      'with the key of an upload that somebody failed to store',
      beside({ ...finishing, finishUntil: noon }),
      {},
      taken(),
    ],
    ['with the key of an upload that is being stored', beside(finishing), {}, waiting(finishing.finishUntil)],
    ['with the key of an open upload for another purpose', beside({ purpose: 'other' }), {}, only('key reused')],
    ['with the key of an open upload of another length', beside({ length: 61 }), {}, only('key reused')],
    ['with the key of an open upload of the same length', beside({ length: 60 }), {}, taken({ length: 60 })],
    ['with the key of an open upload with another digest', beside({ digest: 'x' }), { digest }, only('key reused')],
    ['with the key of an open upload with the same digest', beside({ digest }), { digest }, taken({ digest })],
    ['with the key of an upload whose time is over', beside({}, [{ ...held, leaseUntil: noon }]), {}, created],
    ['with a used key and no digest', state({ key }), {}, created],
    ['with a used key and the digest of its bytes', state({ key }), { digest }, known],
    [
      'with a used key and the digest of other bytes',
      state({ key }),
      { digest: 'AAAA' },
      {
        ...created,
        next: { ...created.next, digest: 'AAAA' },
      },
    ],
  ];
  for (const [what, given, changes, expected] of cases) {
    it(what, () => assert.deepEqual(judgeCreation(given, { ...ask, ...changes }), expected));
  }

  it('without a key is held up by no other upload, and reserves nothing if its length is unknown', () => {
    const given = state({ used: { bytes: 100, files: 1 }, uploads: [{ ...held, keyId: undefined, bytes: 0 }] });
    const { outcome, next } = judgeCreation(given, { ...ask, keyId: undefined, length: undefined });
    assert.deepEqual([outcome.kind, next?.length], ['created', undefined]);
  });
});
