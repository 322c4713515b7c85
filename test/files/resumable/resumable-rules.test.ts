// The rules of an upload in several requests: taking, advancing, finishing and cancelling, as tables of cases.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  judgeAdvance,
  judgeCancel,
  judgeFinish,
  judgeTake,
  leaveFinish,
  renewFinish,
  reservedBytes,
} from '../../../src/files/resumable/resumable-rules.ts';
import { mostPartsOf, type ResumableUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { OpenUpload } from '../../../src/files/uploads/upload-rules.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { storedFile } from '../../helpers/store/file-fixtures.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';
import { resumable } from '../../helpers/store/upload-fixtures.ts';

const quota = { bytes: 100, files: 3 };
const none = { bytes: 0, files: 0 };
const file = storedFile(asUserId('user'), noon);
const asked = { userId: asUserId('user'), now: noon };
const finishing = { finisher: 'finisher', finishUntil: noon + 1, writer: undefined };
const lapsed = { ...finishing, finishUntil: noon };
const expired = { expiresAt: noon };
const stored = { fileId: file.id, endedAt: noon - 1 };
/** The same upload, marked as ended. */
const marked = (changes: Partial<ResumableUpload>) =>
  resumable({ ...changes, writer: undefined, finisher: undefined, finishUntil: undefined, endedAt: noon });

describe('the reservation of an upload', () => {
  const cases: [length: number | undefined, received: number, parts: number, bytes: number][] = [
    [undefined, 0, 0, 0],
    [undefined, 7, 16, 7],
    [9, 7, 1, 9],
    [7, 9, 1, 9],
    [undefined, 17, 17, 4096],
    [5000, 18, 18, 8192],
    [9000, 18, 18, 9000],
  ];
  for (const [length, received, parts, bytes] of cases) {
    it(`is ${bytes} for ${received} of ${length ?? 'unknown'} bytes in ${parts} parts`, () =>
      assert.equal(reservedBytes({ length, received, parts }), bytes));
  }
});

/** What taking and finishing have in common. */
const ends: [what: string, ResumableUpload | undefined, expected: object][] = [
  ['of an unknown upload', undefined, { outcome: { kind: 'unknown' } }],
  ['of a foreign upload', resumable({ userId: asUserId('other') }), { outcome: { kind: 'unknown' } }],
  [
    'of a foreign upload that was stored',
    resumable({ userId: asUserId('other'), ...stored }),
    { outcome: { kind: 'unknown' } },
  ],
  ['after its time', resumable(expired), { outcome: { kind: 'expired' }, next: marked(expired) }],
  ['after its end, before its time', resumable({ endedAt: 1 }), { outcome: { kind: 'expired' } }],
  ['of a stored upload', resumable(stored), { outcome: { kind: 'stored', upload: resumable(stored), file } }],
];

it('an upload of many bytes has more parts, and never more than ten thousand', () => {
  const megabytes = [0, 1, 100, 5000].map((size) => mostPartsOf(size * 2 ** 20));
  assert.deepEqual(megabytes, [1000, 1016, 2600, 10_000]);
});

describe('taking an upload', () => {
  const take = (upload: ResumableUpload | undefined, offset?: number, writer: string | undefined = 'newer') =>
    judgeTake(upload, file, { ...asked, writer, offset });
  const taken = (changes: Partial<ResumableUpload>) => ({
    outcome: { kind: 'taken', upload: resumable(changes) },
    next: resumable(changes),
  });
  for (const [what, upload, expected] of ends) it(what, () => assert.deepEqual(take(upload), expected));

  it('makes the caller the writer, whatever the older one does', () => {
    assert.deepEqual(take(resumable()), taken({ writer: 'newer' }));
    assert.deepEqual(take(resumable(), 40), taken({ writer: 'newer' }));
  });

  it('without a writer leaves none', () => {
    assert.deepEqual(judgeTake(resumable(), undefined, { ...asked, writer: undefined, offset: undefined }), {
      ...taken({ writer: undefined }),
    });
  });

  it('at another offset leaves none', () => {
    for (const offset of [0, 39, 41]) {
      const expected = { outcome: { kind: 'wrong offset', received: 40 }, next: resumable({ writer: undefined }) };
      assert.deepEqual(take(resumable(), offset), expected);
    }
  });

  it('waits while the file is being stored, exactly for the lease', () => {
    assert.deepEqual(take(resumable(finishing)), { outcome: { kind: 'finishing', upload: resumable(finishing) } });
    assert.deepEqual(take(resumable(lapsed)), taken({ writer: 'newer' }));
  });

  it('of a stored upload whose file is in the trash, or was kept long enough, shows no file', () => {
    for (const gone of [{ ...file, deletedAt: 1 }, { ...file, keepUntil: noon }, undefined]) {
      const { outcome } = judgeTake(resumable(stored), gone, { ...asked, writer: undefined, offset: undefined });
      assert.deepEqual(outcome, { kind: 'stored', upload: resumable(stored), file: undefined });
    }
    const kept = { ...file, keepUntil: noon + 1 };
    const { outcome } = judgeTake(resumable(stored), kept, { ...asked, writer: undefined, offset: undefined });
    assert.deepEqual(outcome.kind === 'stored' && outcome.file, kept);
  });
});

describe('advancing an upload', () => {
  type Ask = Parameters<typeof judgeAdvance>[1];
  const ask: Ask = { ...asked, writer: 'writer', received: 70, length: undefined, quota, expiresAt: noon + day };
  const wide = { bytes: 2 ** 30, files: 3 };
  const trashed = { id: asFileId('old'), userId: asUserId('ann'), size: 30 };
  const state = { upload: resumable(), owner: 'free' as const, trash: [], used: none, uploads: [], newParts: 1 };
  const own: OpenUpload = { id: asUploadId('upload'), bytes: 40, keyId: undefined, leaseUntil: noon + 1 };
  const other = { ...own, id: asUploadId('other'), bytes: 30 };
  const advanced = (changes: Partial<ResumableUpload> = {}) => ({
    outcome: 'advanced',
    next: resumable({ received: 70, parts: 2, expiresAt: noon + day, ...changes }),
  });
  const cases: [what: string, Partial<Parameters<typeof judgeAdvance>[0]>, Partial<Ask>, unknown][] = [
    ['by its writer', {}, {}, advanced()],
    ['of a deleted user', { owner: 'gone', used: undefined }, {}, { outcome: 'gone' }],
    ['of a user without uploads', { used: undefined }, {}, { outcome: 'lost' }],
    ['of a blocked user', { owner: 'blocked' }, {}, { outcome: 'blocked' }],
    [
      'for which the trash makes room',
      { used: { bytes: 60, files: 2 }, trash: [trashed] },
      {},
      { ...advanced(), room: { used: { bytes: 30, files: 1 }, removed: [trashed] } },
    ],
    ['that is unknown', { upload: undefined }, {}, { outcome: 'lost' }],
    ['of another user', { upload: resumable({ userId: asUserId('other') }) }, {}, { outcome: 'lost' }],
    ['by an older request', { upload: resumable({ writer: 'newer' }) }, {}, { outcome: 'lost' }],
    ['after a client got its offset', { upload: resumable({ writer: undefined }) }, {}, { outcome: 'lost' }],
    ['after its time', { upload: resumable(expired) }, {}, { outcome: 'lost' }],
    ['after its end', { upload: resumable({ endedAt: 1 }) }, {}, { outcome: 'lost' }],
    ['that is being stored', { upload: resumable({ ...finishing, writer: 'writer' }) }, {}, { outcome: 'lost' }],
    ['backwards', {}, { received: 39 }, { outcome: 'lost' }],
    [
      'by nothing: it lives no longer',
      { newParts: 0 },
      { received: 40 },
      advanced({ received: 40, parts: 1, expiresAt: noon + 1 }),
    ],
    ['to its last part', { upload: resumable({ parts: 999 }) }, { quota: wide }, advanced({ parts: 1000 })],
    ['beyond its last part', { upload: resumable({ parts: 1000 }) }, { quota: wide }, { outcome: 'too many parts' }],
    ['by small parts that need more than the quota', { upload: resumable({ parts: 17 }) }, {}, advanced({ parts: 18 })],
    [
      'by small parts of many uploads that need far more than the quota',
      { upload: resumable({ parts: 17 }), uploads: [{ ...other, bytes: 64 * 2 ** 20 }] },
      {},
      { outcome: 'full' },
    ],
    [
      'within what is reserved, by small parts of many uploads that need far more than the quota',
      { upload: resumable({ length: 70, parts: 17 }), uploads: [{ ...other, bytes: 64 * 2 ** 20 }] },
      {},
      { outcome: 'too many parts' },
    ],
    ['that fits beside others', { uploads: [own, other] }, {}, advanced()],
    ['that outgrows the quota', { uploads: [own, { ...other, bytes: 31 }] }, {}, { outcome: 'full' }],
    ['beside one whose lease ended', { uploads: [{ ...other, bytes: 31, leaseUntil: noon }] }, {}, advanced()],
    ['within what is reserved', { upload: resumable({ length: 70 }), used: quota }, {}, advanced({ length: 70 })],
    ['with a length that fits', {}, { length: 100 }, advanced({ length: 100 })],
    ['with a length beyond the quota', {}, { length: 101 }, { outcome: 'full' }],
    ['with a length sent before', { upload: resumable({ length: 90 }) }, { length: 80 }, advanced({ length: 90 })],
  ];
  for (const [what, given, changes, expected] of cases) {
    it(what, () => assert.deepEqual(judgeAdvance({ ...state, ...given }, { ...ask, ...changes }), expected));
  }
});

describe('finishing an upload', () => {
  const finish = (upload: ResumableUpload | undefined, changes: Partial<Parameters<typeof judgeFinish>[2]> = {}) =>
    judgeFinish(upload, file, { ...asked, finisher: 'mine', finishUntil: noon + 60, length: 40, ...changes });
  const begun = (changes: Partial<ResumableUpload> = {}) => {
    const lease = { writer: undefined, finisher: 'mine', finishUntil: noon + 60, expiresAt: noon + 60 };
    const upload = resumable({ length: 40, ...lease, ...changes });
    return { outcome: { kind: 'begun', upload }, next: upload };
  };
  for (const [what, upload, expected] of ends) it(what, () => assert.deepEqual(finish(upload), expected));

  const wrong = { outcome: { kind: 'wrong offset', received: 40 } };
  const cases: [what: string, Partial<ResumableUpload>, Parameters<typeof finish>[1], unknown][] = [
    ['of unknown length gives it its length', {}, {}, begun()],
    ['of known length', { length: 40 }, {}, begun()],
    ['never shortens its life', { expiresAt: noon + day }, {}, begun({ expiresAt: noon + day })],
    ['at an offset that it has not reached', {}, { length: 41 }, wrong],
    ['at an offset that it has passed', {}, { length: 39 }, wrong],
    ['before its end', { length: 41 }, {}, wrong],
    ['before its end, with its length', { length: 41 }, { length: 41 }, wrong],
    ['while another caller does', finishing, {}, { outcome: { kind: 'finishing', upload: resumable(finishing) } }],
    ['after the lease of another caller', lapsed, {}, begun()],
    ['again by the same caller', { ...finishing, finisher: 'mine' }, {}, begun()],
  ];
  for (const [what, upload, changes, expected] of cases) {
    it(what, () => assert.deepEqual(finish(resumable(upload), changes), expected));
  }

  it('goes on while the lease is renewed by its holder, even late, until the upload has ended', () => {
    const lease = { finisher: 'finisher', finishUntil: noon + 60 };
    const renewed = resumable({ ...finishing, finishUntil: noon + 60, expiresAt: noon + 60 });
    assert.deepEqual(renewFinish(resumable(finishing), lease), renewed);
    assert.deepEqual(renewFinish(resumable(lapsed), lease), renewed);
    assert.equal(renewFinish(resumable({ ...finishing, expiresAt: noon + day }), lease)?.expiresAt, noon + day);
    assert.equal(renewFinish(resumable({ ...finishing, finisher: 'other' }), lease), undefined);
    assert.equal(renewFinish(resumable({ ...finishing, endedAt: 1 }), lease), undefined);
    assert.equal(renewFinish(undefined, lease), undefined);
  });

  it('is left by its holder alone', () => {
    assert.deepEqual(leaveFinish(resumable(finishing), 'finisher'), resumable({ writer: undefined }));
    assert.equal(leaveFinish(resumable(finishing), 'other'), undefined);
    assert.equal(leaveFinish(resumable({ ...finishing, endedAt: 1 }), 'finisher'), undefined);
    assert.equal(leaveFinish(undefined, 'finisher'), undefined);
  });
});

describe('cancelling an upload', () => {
  const cases: [what: string, ResumableUpload | undefined, holder: string | undefined, unknown][] = [
    ['that is unknown', undefined, undefined, { outcome: 'unknown' }],
    ['of another user', resumable({ userId: asUserId('other') }), undefined, { outcome: 'unknown' }],
    ['of another user, as its writer', resumable({ userId: asUserId('other') }), 'writer', { outcome: 'unknown' }],
    ['after its time', resumable(expired), undefined, { outcome: 'expired', next: marked(expired) }],
    ['after its end', resumable({ endedAt: 1 }), undefined, { outcome: 'expired' }],
    ['that is stored', resumable(stored), undefined, { outcome: 'stored' }],
    ['by its owner', resumable(), undefined, { outcome: 'cancelled' }],
    ['by its owner, after a lease', resumable(lapsed), undefined, { outcome: 'cancelled' }],
    ['by its owner, while it is being stored', resumable(finishing), undefined, { outcome: 'finishing' }],
    ['by its writer', resumable(), 'writer', { outcome: 'cancelled' }],
    ['by an older writer', resumable({ writer: 'newer' }), 'writer', { outcome: 'lost' }],
    ['by its finisher', resumable(finishing), 'finisher', { outcome: 'cancelled' }],
    ['by its former writer, while it is being stored', resumable(finishing), 'writer', { outcome: 'lost' }],
  ];
  for (const [what, upload, holder, expected] of cases) {
    it(what, () => assert.deepEqual(judgeCancel(upload, { ...asked, ...(holder && { holder }) }), expected));
  }
});
