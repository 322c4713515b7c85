// Contract of the journal and the last events in the audit log, and of the trial write that leaves no row.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newFileId } from '../../../src/files/stored-file.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../helpers/store/test-store.ts';

onEveryStore('the journal', (open) => {
  it('the journal lists deletions and blocks, oldest first, page by page', async () => {
    const { store } = open();
    const [userId, otherId, fileId] = [newUserId(), newUserId(), newFileId()];
    const events = [
      { kind: 'user.blocked', userId: userId, detail: {} },
      { kind: 'login.succeeded', userId, detail: { session: newId(), method: 'sms' } },
      { kind: 'file.deleted', userId, detail: { file: fileId } },
      { kind: 'user.unblocked', userId, detail: {} },
      { kind: 'user.deleted', userId: otherId, detail: {} },
    ] as const;
    for (const [index, event] of events.entries()) await store.call('audit.record', { ...event, now: noon + index });
    const first = await store.call('journal.list', { after: '', most: 3 });
    assert.deepEqual(first.entries, [
      { kind: 'user.blocked', id: userId, at: noon },
      { kind: 'file.deleted', id: fileId, at: noon + 2 },
    ]);
    const second = await store.call('journal.list', { after: first.next ?? assert.fail('there is more'), most: 3 });
    assert.deepEqual(second, {
      entries: [
        { kind: 'user.unblocked', id: userId, at: noon + 3 },
        { kind: 'user.deleted', id: otherId, at: noon + 4 },
      ],
      next: undefined,
    });
  });

  it('the journal lists e-mail addresses that were replaced or removed', async () => {
    const { store } = open();
    const [userId, otherId] = [newId(), newId()];
    await store.call('audit.record', { kind: 'email.bound', userId: asUserId(userId), detail: {}, now: noon });
    await store.call('audit.record', { kind: 'email.replaced', userId: asUserId(userId), detail: {}, now: noon + 1 });
    await store.call('audit.record', { kind: 'email.removed', userId: asUserId(otherId), detail: {}, now: noon + 2 });
    const { entries } = await store.call('journal.list', { after: '', most: 100 });
    assert.deepEqual(
      entries.filter(({ id }) => id === userId || id === otherId),
      [
        { kind: 'email.replaced', id: userId, at: noon + 1 },
        { kind: 'email.removed', id: otherId, at: noon + 2 },
      ],
    );
  });

  it('findLastEvent returns the time of the last event of a kind without a user', async () => {
    const { store } = open();
    assert.equal(await store.call('journal.findLastEvent', 'backup.created'), undefined);
    for (const now of [noon, noon + 5]) await store.call('audit.record', { kind: 'backup.created', detail: {}, now });
    assert.equal(await store.call('journal.findLastEvent', 'backup.created'), noon + 5);
  });

  it('readBackupTimes returns when a backup, a journal and the installation were made last', async () => {
    const { store, ports, query } = open();
    await query('delete from audit_events');
    await query("delete from counters where slot = 'journal'");
    await query('delete from installation');
    const nothing = { backupAt: undefined, journalAt: undefined, installedAt: undefined };
    assert.deepEqual(await store.call('journal.readBackupTimes', null), nothing);
    await ports.installations.claim({ id: 'an installation', now: noon });
    await store.call('audit.record', { kind: 'backup.created', detail: {}, now: noon + 1 });
    await Promise.all([2, 3].map((later) => store.call('journal.note', { now: noon + later })));
    await store.call('journal.note', { now: noon + 4 });
    const times = { backupAt: noon + 1, journalAt: noon + 4, installedAt: noon };
    assert.deepEqual(await store.call('journal.readBackupTimes', null), times);
  });

  it('tryWriting writes and leaves no row', async () => {
    const { store, rows } = open();
    const before = (await rows('receipts')).filter(({ sweep_at }) => Number(sweep_at) === 0);
    await Promise.all([store.call('journal.tryWriting', null), store.call('journal.tryWriting', null)]);
    const after = (await rows('receipts')).filter(({ sweep_at }) => Number(sweep_at) === 0);
    assert.deepEqual([before, after], [[], []]);
  });
});
