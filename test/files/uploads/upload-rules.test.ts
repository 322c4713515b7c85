// The rules of uploads: the quota, what a reservation and a settlement lead to, and what a deletion leaves.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addToUsage, fitsQuota, takeFromUsage } from '../../../src/files/quota.ts';
import {
  type FulfilledKey,
  infectedEvent,
  judgeReservation,
  judgeSettlement,
  type OpenUpload,
  storedEvent,
} from '../../../src/files/uploads/upload-rules.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';
import { makeFile } from '../../helpers/uploads/stored-file.ts';

const by = { actor: 'service', key: 'k1', why: '' } as const;
const quota = { bytes: 100, files: 3 };
const none = { bytes: 0, files: 0 };
const file = makeFile({
  userId: asUserId('user'),
  name: 'a.pdf',
  type: 'application/pdf',
  sha256: 'hash',
  createdAt: noon,
});
const openUpload = (changes: Partial<OpenUpload> = {}): OpenUpload => ({
  id: asUploadId('other'),
  bytes: 60,
  keyId: undefined,
  leaseUntil: noon + 1,
  ...changes,
});
const key: FulfilledKey = { fingerprint: 'print', keptUntil: noon + 1, file };
const known = { kind: 'known', fingerprint: 'print', file };

describe('the quota', () => {
  const cases: [used: typeof none, reserved: number[], bytes: number, expected: boolean][] = [
    [none, [], 100, true],
    [none, [], 101, false],
    [{ bytes: 60, files: 1 }, [], 40, true],
    [{ bytes: 60, files: 1 }, [1], 40, false],
    [none, [50, 10], 40, true],
    [none, [50, 11], 40, false],
    [{ bytes: 0, files: 2 }, [], 0, true],
    [{ bytes: 0, files: 3 }, [], 0, false],
    [{ bytes: 0, files: 1 }, [0, 0], 0, false],
  ];
  for (const [used, reserved, bytes, expected] of cases) {
    it(`${expected ? 'has' : 'has no'} room for ${bytes} beside ${JSON.stringify(used)} and [${reserved}]`, () => {
      const uploads = reserved.map((each) => ({ bytes: each }));
      assert.equal(fitsQuota(used, uploads, bytes, quota), expected);
    });
  }

  it('counts what is stored and what is deleted, and never less than nothing', () => {
    assert.deepEqual(addToUsage({ bytes: 5, files: 1 }, 10), { bytes: 15, files: 2 });
    assert.deepEqual(takeFromUsage({ bytes: 15, files: 2 }, 10), { bytes: 5, files: 1 });
    assert.deepEqual(takeFromUsage({ bytes: 5, files: 0 }, 10), none);
  });
});

/** Oldest deletion first. */
const trash = [20, 10].map((size) => ({ id: asFileId(`trash of ${size}`), userId: asUserId('user'), size }));

describe('the reservation of an upload', () => {
  const state = { owner: 'free' as const, trash: [], used: none, uploads: [], key: undefined };
  const wanted = { keyId: 'key', bytes: 50, quota, now: noon };
  const cases: [what: string, Parameters<typeof judgeReservation>[0], unknown][] = [
    ['of a user with room', state, { kind: 'reserved' }],
    ['of a deleted user', { ...state, owner: 'gone' as const, key }, { kind: 'gone' }],
    ['of a blocked user', { ...state, owner: 'blocked' as const, key }, { kind: 'blocked' }],
    ['with a key that was used', { ...state, key }, known],
    ['with a key whose time is over', { ...state, key: { ...key, keptUntil: noon } }, { kind: 'reserved' }],
    ['with a key whose file is gone', { ...state, key: { ...key, file: undefined } }, { kind: 'reserved' }],
    [
      'with a key whose file is in the trash',
      { ...state, key: { ...key, file: { ...file, deletedAt: noon } } },
      { kind: 'reserved' },
    ],
    [
      'with a key whose file is over',
      { ...state, key: { ...key, file: { ...file, keepUntil: noon } } },
      { kind: 'reserved' },
    ],
    [
      'with a key under way',
      { ...state, uploads: [openUpload({ keyId: 'key', bytes: 1 })] },
      { kind: 'in progress', until: openUpload().leaseUntil },
    ],
    [
      'with a key whose lease ended',
      { ...state, uploads: [openUpload({ keyId: 'key', leaseUntil: noon })] },
      { kind: 'reserved' },
    ],
    ['beside a large upload', { ...state, uploads: [openUpload()] }, { kind: 'full' }],
    ['beside one whose lease ended', { ...state, uploads: [openUpload({ leaseUntil: noon })] }, { kind: 'reserved' }],
    ['of a user without room', { ...state, used: { bytes: 60, files: 1 } }, { kind: 'full' }],
    [
      'of a user whose trash makes room',
      { ...state, used: { bytes: 60, files: 2 }, trash },
      { kind: 'reserved', room: { used: { bytes: 40, files: 1 }, removed: trash.slice(0, 1) } },
    ],
    [
      'of a user whose trash makes room beside other uploads only in part',
      { ...state, used: { bytes: 60, files: 2 }, trash, uploads: [openUpload({ bytes: 31 })] },
      { kind: 'full' },
    ],
  ];
  for (const [what, given, expected] of cases) {
    it(what, () => assert.deepEqual(judgeReservation(given, wanted), expected));
  }

  it('without a key is not held up by other uploads without one', () => {
    const given = { ...state, uploads: [openUpload({ bytes: 1 })] };
    assert.deepEqual(judgeReservation(given, { ...wanted, keyId: undefined }), { kind: 'reserved' });
  });
});

describe('the settlement of an upload', () => {
  const state = {
    owner: 'free' as const,
    trash: [],
    used: { bytes: 10, files: 1 },
    uploads: [openUpload({ id: asUploadId('mine'), bytes: 90 })],
    key: undefined,
  };
  const settlement = { uploadId: asUploadId('mine'), file, quota, key: undefined, now: noon };
  const cases: [what: string, Parameters<typeof judgeSettlement>[0], unknown][] = [
    ['takes the place of its reservation', state, { outcome: { kind: 'stored' }, usage: { bytes: 50, files: 2 } }],
    ['of a deleted user', { ...state, used: undefined, key }, { outcome: { kind: 'gone' } }],
    ['of a blocked user', { ...state, owner: 'blocked' as const, key }, { outcome: { kind: 'blocked' } }],
    ['of a user who is gone', { ...state, owner: 'gone' as const, key }, { outcome: { kind: 'gone' } }],
    ['with a key that another upload has fulfilled', { ...state, key }, { outcome: known }],
    ['of an upload that has ended', { ...state, key, refusal: { kind: 'ended' } }, { outcome: { kind: 'ended' } }],
    ['beside a large upload', { ...state, uploads: [openUpload()] }, { outcome: { kind: 'full' } }],
    [
      'for which the trash makes room',
      { ...state, used: { bytes: 80, files: 2 }, uploads: [], trash },
      {
        outcome: { kind: 'stored' },
        usage: { bytes: 100, files: 2 },
        room: { used: { bytes: 60, files: 1 }, removed: trash.slice(0, 1) },
      },
    ],
    [
      'within its reservation, whatever others need since',
      { ...state, uploads: [openUpload({ id: asUploadId('mine'), bytes: 40 }), openUpload()] },
      { outcome: { kind: 'stored' }, usage: { bytes: 50, files: 2 } },
    ],
    [
      'beyond its reservation, beside a large upload',
      { ...state, uploads: [openUpload({ id: asUploadId('mine'), bytes: 39 }), openUpload()] },
      { outcome: { kind: 'full' } },
    ],
    [
      'beside one whose lease ended',
      { ...state, uploads: [openUpload({ leaseUntil: noon })] },
      { outcome: { kind: 'stored' }, usage: { bytes: 50, files: 2 } },
    ],
  ];
  for (const [what, given, expected] of cases) {
    it(what, () => assert.deepEqual(judgeSettlement(given, settlement), expected));
  }

  it('by the back end is stored for a blocked user too, and never for one who is gone', () => {
    const by = { actor: 'service', key: 'k', why: '' } as const;
    const kinds = (['blocked', 'gone'] as const).map((owner) => [
      judgeSettlement({ ...state, owner }, { ...settlement, by }).outcome.kind,
      judgeReservation({ ...state, owner }, { keyId: undefined, bytes: 0, quota, now: noon, by }).kind,
    ]);
    assert.deepEqual(kinds, [
      ['stored', 'reserved'],
      ['gone', 'gone'],
    ]);
  });

  it('writes down the file, its purpose and its size', () => {
    assert.deepEqual(storedEvent(settlement), {
      kind: 'file.stored',
      userId: 'user',
      detail: { file: 'file', purpose: 'document', size: 40 },
      now: noon,
    });
  });

  it('of the back end is written down with the act', () => {
    const { detail } = storedEvent({ ...settlement, by });
    assert.deepEqual(detail, { file: 'file', purpose: 'document', size: 40, ...by });
  });
});

describe('an infected upload', () => {
  const infection = {
    uploadId: asUploadId('mine'),
    userId: asUserId('user'),
    purpose: 'document',
    size: 40,
    sha256: 'ab',
    signature: 'X',
  };

  it('writes down what was found, without the name of the file', () => {
    assert.deepEqual(infectedEvent({ bytes: 0, files: 0 }, { ...infection, now: noon }), {
      kind: 'file.infected',
      userId: 'user',
      detail: { purpose: 'document', size: 40, sha256: 'ab', signature: 'X' },
      now: noon,
    });
  });

  it('of the back end is written down with the act', () => {
    const event = infectedEvent({ bytes: 0, files: 0 }, { ...infection, now: noon, by });
    assert.deepEqual(event?.detail, { purpose: 'document', size: 40, sha256: 'ab', signature: 'X', ...by });
  });

  it('of a deleted user is not written down', () => {
    assert.equal(infectedEvent(undefined, { ...infection, now: noon }), undefined);
  });
});
