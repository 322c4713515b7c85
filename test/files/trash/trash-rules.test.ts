// The rules of the trash and of retention, as tables: who still sees a file, what a deletion does, what can be restored, what goes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FileState,
  isVisible,
  judgeDeletion,
  judgeRemoval,
  judgeRestore,
  judgeSweep,
  retentionOf,
  toTrashed,
} from '../../../src/files/trash/trash-rules.ts';
import { fileId, noon, recordOf } from '../../helpers/blobs/memory-files.ts';
import { asFileId, asUserId } from '../../helpers/people/ids.ts';

const used = { bytes: 50, files: 2 };
const file: FileState = { id: asFileId('file'), userId: asUserId('ann'), size: 40 };
const inTrash: FileState = { ...file, deletedAt: noon - 10, sweepAt: noon + 10 };
const event = (kind: string, detail: object = {}) => ({
  kind,
  userId: asUserId('ann'),
  detail: { file: 'file', ...detail },
  now: noon,
});
const ofAnn = { userId: asUserId('ann'), id: asFileId('file'), now: noon };
const cli = { actor: 'cli', why: 'law' } as const;

describe('a file', () => {
  for (const [what, times, expected] of [
    ['without an end', {}, true],
    ['before its end', { keepUntil: noon + 1 }, true],
    ['at its end', { keepUntil: noon }, false],
    ['after its end', { keepUntil: noon - 1 }, false],
    ['in the trash', { deletedAt: noon - 1 }, false],
    ['in the trash before its end', { deletedAt: noon - 1, keepUntil: noon + 1 }, false],
  ] as const) {
    it(`is ${expected ? '' : 'not '}visible ${what}`, () => {
      assert.equal(isVisible(times, noon), expected);
    });
  }

  for (const [keepFor, expected] of [
    [undefined, {}],
    ['90m', { keepUntil: noon + 90 * 60_000 }],
    ['30d', { keepUntil: noon + 30 * 86_400_000 }],
  ] as const) {
    it(`of a purpose with keepFor ${keepFor} has ${JSON.stringify(expected)} from its upload on`, () => {
      assert.deepEqual(retentionOf(keepFor === undefined ? {} : { keepFor }, noon), expected);
    });
  }
});

describe('the deletion of a file', () => {
  const trashUntil = noon + 100;
  const removed = { kind: 'removed', usage: { bytes: 10, files: 1 } };
  for (const [what, given, deletion, expected] of [
    ['of somebody else', { ...file, userId: asUserId('bob') }, { ...ofAnn, trashUntil }, undefined],
    ['of somebody else by staff', { ...file, userId: asUserId('bob') }, { ...ofAnn, by: cli }, undefined],
    ['that is unknown', undefined, { ...ofAnn, trashUntil }, undefined],
    ['in the trash by its owner', inTrash, { ...ofAnn, trashUntil }, undefined],
    ['in the trash by its owner without a trash', inTrash, ofAnn, undefined],
    ['past its end by its owner', { ...file, keepUntil: noon, sweepAt: noon }, { ...ofAnn, trashUntil }, undefined],
    [
      'by its owner',
      file,
      { ...ofAnn, trashUntil },
      { kind: 'trashed', deletedAt: noon, sweepAt: trashUntil, event: event('file.trashed') },
    ],
    [
      'that is kept longer than the trash',
      { ...file, keepUntil: trashUntil + 1 },
      { ...ofAnn, trashUntil },
      { kind: 'trashed', deletedAt: noon, sweepAt: trashUntil, event: event('file.trashed') },
    ],
    [
      'whose end comes before that of the trash',
      { ...file, keepUntil: noon + 5 },
      { ...ofAnn, trashUntil },
      { kind: 'trashed', deletedAt: noon, sweepAt: noon + 5, event: event('file.trashed') },
    ],
    ['by its owner without a trash', file, ofAnn, { ...removed, event: event('file.deleted') }],
    ['by staff', file, { ...ofAnn, by: cli }, { ...removed, event: event('file.deleted', cli) }],
    [
      'by staff who name a trash',
      file,
      { ...ofAnn, by: cli, trashUntil },
      { ...removed, event: event('file.deleted', cli) },
    ],
    ['in the trash by staff', inTrash, { ...ofAnn, by: cli }, { ...removed, event: event('file.removed', cli) }],
    [
      'past its end by staff',
      { ...file, keepUntil: noon, sweepAt: noon },
      { ...ofAnn, by: cli },
      { ...removed, event: event('file.deleted', cli) },
    ],
  ] as const) {
    it(`${what} ${expected === undefined ? 'is refused' : `leaves it ${expected.kind}`}`, () => {
      assert.deepEqual(judgeDeletion(given, deletion, used), expected);
    });
  }
});

describe('restoring a file', () => {
  for (const [what, given, expected] of [
    ['that is unknown', undefined, undefined],
    ['of somebody else', { ...inTrash, userId: asUserId('bob') }, undefined],
    ['in the trash', inTrash, { sweepAt: undefined, event: event('file.restored') }],
    [
      'in the trash that is kept for a time',
      { ...inTrash, keepUntil: noon + 5, sweepAt: noon + 5 },
      { sweepAt: noon + 5, event: event('file.restored') },
    ],
    ['at the end of its time in the trash', { ...inTrash, sweepAt: noon }, undefined],
    ['that is not deleted', file, 'visible'],
    ['whose end has come', { ...file, keepUntil: noon, sweepAt: noon }, undefined],
  ] as const) {
    it(`${what} gives ${typeof expected === 'object' ? 'it back' : expected}`, () => {
      assert.deepEqual(judgeRestore(given, ofAnn), expected);
    });
  }
});

describe('the end of a file', () => {
  const gone = (kind: string) => ({ kind: 'removed', usage: { bytes: 10, files: 1 }, event: event(kind) });

  for (const [what, given, expected] of [
    ['in the trash', inTrash, gone('file.removed')],
    ['in the trash that the sweep has not reached', { ...inTrash, sweepAt: noon - 1 }, gone('file.removed')],
    ['in the trash of somebody else', { ...inTrash, userId: asUserId('bob') }, undefined],
    ['that is not in the trash', file, undefined],
    ['that is unknown', undefined, undefined],
  ] as const) {
    it(`the owner ${expected === undefined ? 'cannot remove' : 'removes'} a file ${what}`, () => {
      assert.deepEqual(judgeRemoval(given, ofAnn, used), expected);
    });
  }

  for (const [what, given, expected] of [
    ['at the end of its time in the trash', { ...inTrash, sweepAt: noon }, gone('file.removed')],
    ['before the end of its time in the trash', inTrash, undefined],
    ['at the end of its retention', { ...file, keepUntil: noon, sweepAt: noon }, gone('file.expired')],
    ['before the end of its retention', { ...file, keepUntil: noon + 1, sweepAt: noon + 1 }, undefined],
    ['without an end', file, undefined],
    ['that is gone', undefined, undefined],
  ] as const) {
    it(`the sweep ${expected === undefined ? 'leaves' : 'removes'} a file ${what}`, () => {
      assert.deepEqual(judgeSweep(given, used, noon), expected);
    });
  }

  it('the owner sees when it was deleted and when it goes', () => {
    const record = recordOf(fileId(1), 'x', { deletedAt: noon });
    assert.deepEqual(toTrashed(record, noon + 5), { ...record, deletedAt: noon, removedAt: noon + 5 });
  });
});
