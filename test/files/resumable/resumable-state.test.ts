// The states of an upload in several requests, and what its end leaves.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  endBySettlement,
  isRefused,
  listForSweep,
  refuseSettlement,
  rememberUntil,
  statusOf,
  sweepTimeOf,
} from '../../../src/files/resumable/resumable-state.ts';
import type { ResumableUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { SettlementOutcome, StoredFile } from '../../../src/files/stored-file.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { asFileId, asUserId } from '../../helpers/people/ids.ts';
import { storedFile } from '../../helpers/store/file-fixtures.ts';
import { day, hour, noon } from '../../helpers/store/fixtures.ts';
import { resumable } from '../../helpers/store/upload-fixtures.ts';

const file = storedFile(asUserId('user'), noon);
const finishing = { finisher: 'finisher', finishUntil: noon + 1, writer: undefined };
const over = { writer: undefined, finisher: undefined, finishUntil: undefined };

describe('the state of an upload', () => {
  const cases: [changes: Partial<ResumableUpload>, expected: ReturnType<typeof statusOf>][] = [
    [{}, 'open'],
    [{ expiresAt: noon }, 'expired'],
    [{ endedAt: noon + 1 }, 'expired'],
    [finishing, 'finishing'],
    [{ ...finishing, finishUntil: noon }, 'open'],
    [{ ...finishing, endedAt: 1 }, 'expired'],
    [{ fileId: asFileId('file'), endedAt: 1, expiresAt: 1 }, 'stored'],
  ];
  for (const [changes, expected] of cases) {
    it(`${JSON.stringify(changes)} is ${expected}`, () => assert.equal(statusOf(resumable(changes), noon), expected));
  }
});

describe('a settlement of an upload', () => {
  const ended = { kind: 'ended' };
  const before = { kind: 'stored before', file };
  const stored = { fileId: file.id, endedAt: 1 };
  const cases: [what: string, ResumableUpload | undefined, StoredFile | undefined, unknown][] = [
    ['that is open', resumable(), undefined, undefined],
    ['that is being stored', resumable(finishing), undefined, undefined],
    ['that was cancelled', undefined, undefined, ended],
    ['of another user', resumable({ userId: asUserId('other') }), undefined, ended],
    ['that is expired', resumable({ expiresAt: noon }), undefined, ended],
    ['that was told to be expired', resumable({ endedAt: 1 }), undefined, ended],
    ['that another caller has stored', resumable(stored), file, before],
    ['whose file is deleted', resumable(stored), undefined, ended],
    ['whose file is in the trash', resumable(stored), { ...file, deletedAt: 1 }, ended],
  ];
  for (const [what, upload, found, expected] of cases) {
    it(what, () =>
      assert.deepEqual(refuseSettlement(upload, found, { userId: asUserId('user'), now: noon }), expected),
    );
  }

  const key = { id: 'key', fingerprint: 'print', keptUntil: noon };
  const other = storedFile(asUserId('user'), noon);
  const leads = (fileId: FileId) => resumable({ ...over, fileId, endedAt: noon });
  const known = (fingerprint: string): SettlementOutcome => ({ kind: 'known', fingerprint, file: other });
  const outcomes: [what: string, SettlementOutcome, Parameters<typeof endBySettlement>[2]['key'], unknown][] = [
    ['that succeeds leads to its file', { kind: 'stored' }, key, leads(file.id)],
    ['with the bytes of a used key leads to that file', known('print'), key, leads(other.id)],
    ['with other bytes than a used key forgets the upload', known('other'), key, undefined],
    ['without room forgets the upload', { kind: 'full' }, undefined, undefined],
    ['of a deleted user forgets the upload', { kind: 'gone' }, undefined, undefined],
  ];
  for (const [what, outcome, used, expected] of outcomes) {
    it(what, () =>
      assert.deepEqual(endBySettlement(resumable(finishing), outcome, { file, key: used, now: noon }), expected),
    );
  }
});

describe('an infected upload', () => {
  it('is forgotten by its owner alone, unless it is stored', () => {
    const by = { userId: asUserId('user') };
    assert.equal(isRefused(resumable(), by), true);
    assert.equal(isRefused(resumable({ userId: asUserId('other') }), by), false);
    assert.equal(isRefused(resumable({ fileId: asFileId('file'), endedAt: 1 }), by), false);
    assert.equal(isRefused(undefined, by), false);
  });
});

describe('the sweep of uploads', () => {
  it('looks at an upload when it expires, or at once when it ends', () => {
    assert.equal(sweepTimeOf(resumable()), noon + 1);
    assert.equal(sweepTimeOf(resumable({ endedAt: noon })), noon);
  });

  it('ends what it lists at the moment when it expired, and lists it again after an hour', () => {
    const next = resumable({ ...over, endedAt: noon + 1 });
    assert.deepEqual(listForSweep(resumable(finishing), noon + 5), { next, sweepAt: noon + 5 + hour });
    assert.deepEqual(listForSweep(next, noon + 9), { next, sweepAt: noon + 9 + hour });
  });

  it('remembers an ended upload for a day', () => {
    assert.equal(rememberUntil(noon, noon + day - 1), noon + day);
    assert.equal(rememberUntil(noon, noon + day), undefined);
  });
});
