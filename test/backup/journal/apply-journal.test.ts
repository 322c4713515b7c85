// The journal applied to a database: only what it lacks is done, once, and what is newer in the database stays.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyJournal, type JournalTarget } from '../../../src/backup/journal/apply-journal.ts';
import { type JournalLine, readLastActs, writeEntry } from '../../../src/backup/journal/journal.ts';
import type { StoredEvent } from '../../../src/kernel/audit.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { asFileId, userIdOf } from '../../helpers/people/ids.ts';
import { useTemporaryFolders } from '../stage/small-backup.ts';

const names = { ann: userIdOf('ann'), bob: userIdOf('bob'), none: userIdOf('none') };
const files4 = { f1: fileId(1), f2: fileId(2), f3: fileId(3), f4: fileId(4) };
const { ann, bob, none } = names;
const { f1, f2, f3, f4 } = files4;

/** Short names instead of ids. */
function named(text: string): string {
  return Object.entries({ ...names, ...files4 }).reduce((all, [name, id]) => all.replaceAll(id, name), text);
}

const noon = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'database set back' } as const;

type State = {
  readonly users: readonly string[];
  readonly files: Readonly<Record<string, UserId>>;
  readonly events?: readonly StoredEvent[];
  readonly lost?: readonly string[];
};

describe('the journal applied to a database', () => {
  const newFolder = useTemporaryFolders();

  async function apply(lines: readonly JournalLine[], { users, files, events = [], lost = [] }: State) {
    const path = join(newFolder(), 'journal');
    writeFileSync(path, lines.map((line) => `${writeEntry(line)}\n`).join(''));
    const known = {
      users: new Set(users),
      files: new Map(Object.entries(files).map(([id, owner]) => [asFileId(id), owner])),
    };
    const done: string[] = [];
    const target: JournalTarget = {
      clock: { now: () => noon },
      audit: {
        list: async ({ userId, kind, since, most }) =>
          events.filter((one) => one.userId === userId && one.kind === kind && one.at >= since).slice(0, most),
      },
      blobs: {
        remove: async (id) => {
          if (lost.includes(id)) throw new Error('storage is away');
          done.push(`remove ${id}`);
        },
      },
      findUser: async (id) => (known.users.has(id) ? { id } : undefined),
      findRecord: async (id) => {
        const userId = known.files.get(id);
        return userId === undefined ? undefined : { userId };
      },
      deleteUser: async ({ userId, by: actor, now }) => {
        assert.deepEqual([actor, now], [by, noon]);
        known.users.delete(userId);
        const fileIds = [...known.files].filter(([, owner]) => owner === userId).map(([id]) => id);
        for (const id of fileIds) known.files.delete(id);
        done.push(`delete ${userId}`);
        return { fileIds };
      },
      deleteFile: async ({ id, userId }) => {
        assert.equal(known.files.get(id), userId);
        done.push(`delete ${id}`);
        return known.files.delete(id);
      },
      actOn: async ({ userId, act }) => done.push(`${act} ${userId}`),
      removeEmail: async ({ userId }) => {
        done.push(`remove address of ${userId}`);
        return userId === none ? 'none' : 'removed';
      },
    };
    const acts = await readLastActs(path);
    const applied = await applyJournal(target, { path, acts, by, progress: () => undefined });
    return { done: done.map(named), applied };
  }

  const nothing = { users: 0, files: 0, blocks: 0, addresses: 0, left: 0 };

  it('deleted users and files are deleted again, with their bytes', async () => {
    const { done, applied } = await apply(
      [
        { kind: 'user.deleted', id: ann, at: noon },
        { kind: 'file.deleted', id: f3, at: noon },
      ],
      { users: [ann, bob], files: { [f1]: ann, [f2]: ann, [f3]: bob, [f4]: bob } },
    );
    assert.deepEqual(done.toSorted(), ['delete ann', 'delete f3', 'remove f1', 'remove f2', 'remove f3']);
    assert.deepEqual(applied, { ...nothing, users: 1, files: 3 });
  });

  it('what the database no longer has is not deleted again', async () => {
    const lines: JournalLine[] = [
      { kind: 'user.deleted', id: ann, at: noon },
      { kind: 'file.deleted', id: f1, at: noon },
      { kind: 'user.blocked', id: ann, at: noon },
      { kind: 'email.removed', id: ann, at: noon },
    ];
    assert.deepEqual(await apply(lines, { users: [], files: {} }), { done: [], applied: nothing });
  });

  it('bytes that cannot be removed now are counted, and the record is gone all the same', async () => {
    const { applied } = await apply([{ kind: 'file.deleted', id: f1, at: noon }], {
      users: [ann],
      files: { [f1]: ann },
      lost: [f1],
    });
    assert.deepEqual(applied, { ...nothing, files: 1, left: 1 });
  });

  it('the last block, unblock and address of each user is repeated', async () => {
    const { done, applied } = await apply(
      [
        { kind: 'user.blocked', id: ann, at: noon },
        { kind: 'user.blocked', id: bob, at: noon },
        { kind: 'user.unblocked', id: bob, at: noon + 1 },
        { kind: 'email.replaced', id: ann, at: noon },
        { kind: 'email.removed', id: none, at: noon },
      ],
      { users: [ann, bob, none], files: {} },
    );
    assert.deepEqual(done, ['block ann', 'unblock bob', 'remove address of ann', 'remove address of none']);
    assert.deepEqual(applied, { ...nothing, blocks: 2, addresses: 1 });
  });

  const event = (kind: string, at: number): StoredEvent => ({ id: 'x', kind, userId: ann, detail: {}, at });
  for (const [line, found, isRepeated] of [
    [{ kind: 'user.blocked', id: ann, at: noon }, event('user.blocked', noon), false],
    [{ kind: 'user.blocked', id: ann, at: noon }, event('user.unblocked', noon + 1), false],
    [{ kind: 'user.blocked', id: ann, at: noon }, event('user.unblocked', noon - 1), true],
    [{ kind: 'user.blocked', id: ann, at: noon }, event('user.signed-out', noon + 1), true],
    [{ kind: 'email.removed', id: ann, at: noon }, event('email.bound', noon), false],
    [{ kind: 'email.removed', id: ann, at: noon }, event('email.replaced', noon + 1), false],
    [{ kind: 'email.removed', id: ann, at: noon }, event('email.bound', noon - 1), true],
  ] as [JournalLine, StoredEvent, boolean][]) {
    it(`${line.kind} is ${isRepeated ? '' : 'not '}repeated if the database has ${found.kind} ${found.at - noon} ms later`, async () => {
      const { done } = await apply([line], { users: [ann], files: {}, events: [found] });
      assert.equal(done.length, isRepeated ? 1 : 0);
    });
  }
});
