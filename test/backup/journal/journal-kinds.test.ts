// The rule of the journal: which events a restore must not undo, and whom or what each of them is about.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isAbout,
  isJournalKind,
  type JournalTopic,
  toJournalEntry,
} from '../../../src/backup/journal/journal-kinds.ts';
import { type AuditKind, auditKinds } from '../../../src/kernel/audit.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { asUserId, userIdOf } from '../../helpers/people/ids.ts';

const kept: Partial<Record<AuditKind, [topic: JournalTopic, id: string]>> = {
  'user.deleted': ['deletion', 'user'],
  'file.deleted': ['deletion', 'file'],
  'file.removed': ['deletion', 'file'],
  'file.expired': ['deletion', 'file'],
  'user.blocked': ['block', 'user'],
  'user.unblocked': ['block', 'user'],
  'email.replaced': ['address', 'user'],
  'email.removed': ['address', 'user'],
};

describe('a journal entry', () => {
  const ids: Readonly<Record<string, string>> = { user: userIdOf('ann'), file: fileId(1) };
  const event = { id: 'event', userId: userIdOf('ann'), detail: { file: fileId(1) }, at: 5 };

  for (const kind of auditKinds) {
    const expected = kept[kind];
    it(`of ${kind} is ${expected === undefined ? 'not made' : `about the ${expected[1]}: ${expected[0]}`}`, () => {
      const entry = toJournalEntry({ ...event, kind });
      assert.equal(isJournalKind(kind), expected !== undefined);
      assert.deepEqual(entry, expected && { kind, id: ids[expected[1]], at: 5 });
      for (const topic of ['deletion', 'block', 'address'] as const)
        assert.equal(entry !== undefined && isAbout(entry, topic), topic === expected?.[0]);
    });
  }

  it('is not made of a later kind, nor of an event that names nobody', () => {
    for (const kind of ['user.merged', 'toString'] as const)
      assert.equal(toJournalEntry({ ...event, kind }), undefined);
    assert.equal(toJournalEntry({ id: 'event', kind: 'user.deleted', detail: {}, at: 5 }), undefined);
    assert.equal(toJournalEntry({ ...event, kind: 'file.deleted', detail: {} }), undefined);
    // No reader would take such a line.
    assert.equal(toJournalEntry({ ...event, kind: 'user.deleted', userId: asUserId('../ann') }), undefined);
    assert.equal(toJournalEntry({ ...event, kind: 'file.deleted', detail: { file: '../../x' } }), undefined);
  });
});
