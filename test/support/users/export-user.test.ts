// The export of a user: all files over all pages, all events, and the audit event before any of it is read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredFile } from '../../../src/files/stored-file.ts';
import type { TrashedFile } from '../../../src/files/trash/trash.ts';
import type { AuditStore, StoredEvent } from '../../../src/kernel/audit.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { exportUser } from '../../../src/support/users/export-user.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

type Deps = Parameters<typeof exportUser>[0];

const by = { actor: 'cli', why: 'subject access' } as const;
const scheduled = { phone: '+12025550199', effectiveAt: 9 };
const user = makeUserRecord({ phone: asPhone('+12025550123') });
const signIn: StoredEvent = {
  id: '0192f0c1-7d1e-7000-8000-0123456789ab',
  kind: 'login.succeeded',
  userId: asUserId('ann'),
  detail: { session: 'ses', ip: '203.0.113.7' },
  at: 3,
};

function open(fileCount: number, trash: readonly TrashedFile[] = []) {
  const steps: string[] = [];
  const files = Array.from({ length: fileCount }, (_, index) => ({ id: `${index}` }) as StoredFile);
  const recorded: unknown[] = [];
  const audit: AuditStore = {
    record: async (event) => {
      steps.push('audit event');
      recorded.push(event);
    },
    list: async ({ recipient }) => (recipient === undefined ? [signIn] : []),
  };
  const deps = {
    directory: { searchUsers: async () => [user], findLastUse: async () => 7 },
    scheduledPhones: { findPhoneChange: async () => scheduled },
    sessions: {
      listSessions: async () => [{ id: 'ses', userId: 'ann', createdAt: 1, lastUsedAt: 2, userAgent: undefined }],
    },
    files: {
      usage: async () => ({ bytes: 0, files: 0 }),
      measureReserved: async () => ({ bytes: 0, files: 0 }),
      listFiles: async ({ before, most }: { before: StoredFile | undefined; most: number }) => {
        steps.push(`files after ${before?.id ?? 'none'}`);
        const from = before === undefined ? 0 : files.indexOf(before) + 1;
        return files.slice(from, from + most);
      },
    },
    trash: {
      measureTrash: async () => ({ bytes: 0, files: 0 }),
      listTrash: async ({ before }: { before: TrashedFile | undefined }) => {
        steps.push(`trash after ${before?.id ?? 'none'}`);
        return trash;
      },
    },
    audit,
    appStore: { listConsents: async () => [{ appId: 'shop', scopes: ['openid'], createdAt: 5 }] },
    limits: { read: async () => undefined },
    secrets: createSecrets('the secret of the service, long enough'),
    clock: { now: () => 9 },
  } as unknown as Deps;
  return { deps, steps, recorded };
}

describe('the export of a user', () => {
  it('the audit event is written before the files are read, and what the user allowed apps is part of it', async () => {
    const { deps, steps, recorded } = open(1);
    const { allowed } = await exportUser(deps, { who: '+12025550123', by });
    assert.deepEqual(allowed, [{ appId: 'shop', scopes: ['openid'], createdAt: 5 }]);
    assert.deepEqual(steps, ['audit event', 'files after none', 'trash after none']);
    assert.deepEqual(recorded, [{ kind: 'user.exported', userId: 'ann', detail: by, now: 9 }]);
  });

  for (const [count, pages] of [
    [0, 1],
    [499, 1],
    [500, 2],
    [501, 2],
    [1000, 3],
  ] as const) {
    it(`${count} files are exported over ${pages} pages, in their order`, async () => {
      const { deps, steps } = open(count);
      const { files } = await exportUser(deps, { who: '+12025550123', by });
      assert.deepEqual(
        files.map(({ id }) => id),
        Array.from({ length: count }, (_, index) => `${index}`),
      );
      assert.equal(steps.filter((step) => step.startsWith('files')).length, pages);
    });
  }

  it('the export names the files in the trash last, with the time of their deletion', async () => {
    const trashed = { id: 'gone', deletedAt: 3, removedAt: 5 } as TrashedFile;
    const { files } = await exportUser(open(1, [trashed]).deps, { who: '+12025550123', by });
    assert.deepEqual(files, [{ id: '0' }, trashed]);
  });

  it('the export has the user, the last use, the scheduled number, the sessions with their addresses, and the events', async () => {
    const exported = await exportUser(open(0).deps, { who: '+12025550123', by });
    const { user: found, sessions, timeline } = exported;
    assert.deepEqual([exported.lastUsedAt, exported.scheduled], [7, scheduled]);
    assert.equal(found.id, 'ann');
    assert.deepEqual(
      sessions.map(({ id, address }) => [id, address]),
      [['ses', '203.0.113.7']],
    );
    assert.deepEqual(
      timeline.map(({ kind }) => kind),
      ['login.succeeded'],
    );
  });
});
