// Every kind of audit event: an act that writes it and can be repeated, or the reason why a repeat is an event too.

import type { UserAct } from '../../src/auth/directory/user-directory.ts';
import { preparePhoneNotices } from '../../src/auth/identity/phone-change.ts';
import { prepareMailNotice } from '../../src/auth/notices/notice.ts';
import { makeSigningKey } from '../../src/auth/tokens/signing-key.ts';
import { makeServiceKey } from '../../src/backend/service-key.ts';
import type { AuditKind } from '../../src/kernel/audit.ts';
import { newId, randomText } from '../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { type FileId, newUserId, type UserId } from '../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../src/store/ports.ts';
import type { AdminEnd } from '../../src/support/staff/admin.ts';
import { makeDraft } from '../helpers/people/user.ts';
import { appId, exchange, startApp } from '../helpers/store/app-fixtures.ts';
import { newUser, store } from '../helpers/store/file-fixtures.ts';
import {
  bind,
  day,
  hour,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  sessionPolicy,
  signIn,
} from '../helpers/store/fixtures.ts';
import type { TestStore } from '../helpers/store/test-store.ts';

/** Prepares a state and gives the act, which can be repeated. */
type Repeated = (test: TestStore) => Promise<() => Promise<unknown>>;

const by = { actor: 'cli', why: 'a test' } as const;
const secrets = createSecrets('the secret '.repeat(4));

const actOn =
  (...acts: readonly UserAct['act'][]): Repeated =>
  async ({ ports, store }) => {
    const { userId } = await signIn(ports, newPhone(), noon);
    const { directory } = createOperatorPorts(store);
    const run = (act: UserAct['act'] = 'block') => directory.actOn({ userId, act, by, now: noon });
    for (const act of acts.slice(0, -1)) await run(act);
    return () => run(acts.at(-1));
  };

const clear =
  (kind: 'limits.cleared' | 'sms.resumed'): Repeated =>
  async ({ store, query }) => {
    const id = `a counter ${newId()}`;
    await query(`insert into limits (id, hits, sweep_at) values ('${id}', '[1]', ${noon})`);
    return () => createOperatorPorts(store).limits.clear({ ids: [id], kind, detail: by, now: noon });
  };

const endAdmin =
  (reason: AdminEnd): Repeated =>
  async ({ store }) => {
    const { admins } = createOperatorPorts(store);
    const linkHash = randomText(32);
    const admin = { id: newId(), name: 'Ada', role: 'owner', endsAt: noon + hour } as const;
    await admins.issue({ ...admin, createdAt: noon, linkEndsAt: noon + hour, linkHash });
    return () => admins.end({ id: admin.id, reason, by, now: noon });
  };

const withFile =
  (
    act: (test: TestStore, file: { userId: UserId; id: FileId; now: number }) => Promise<() => Promise<unknown>>,
  ): Repeated =>
  async (test) => {
    const userId = await newUser(test.ports, noon);
    const { id } = await store(test.ports, userId, noon);
    return act(test, { userId, id, now: noon });
  };

let generation = 0;

const newActs = 'each is a new act: a message, an attempt, a sign-in, a key, a file or a look at data';
const onlyOnce = 'its cause is used up with it: a code, a due change, a found file, a session that makes room';

export const repeatedActs: Readonly<Record<AuditKind, Repeated | string>> = {
  'otp.requested': newActs,
  'otp.failed': newActs,
  'otp.exhausted': newActs,
  'link.requested': newActs,
  'limits.reached': newActs,
  'login.succeeded': newActs,
  'login.refused': newActs,
  'session.proved': newActs,
  'user.exported': newActs,
  'user.revealed': newActs,
  'users.exported': newActs,
  'message.sent': newActs,
  'message.parked': newActs,
  'message.resent': newActs,
  'webhooks.replayed': newActs,
  'keys.rotated': newActs,
  'secret.rotated': newActs,
  'file.stored': newActs,
  'file.shared': newActs,
  'file.infected': newActs,
  'admin.issued': newActs,
  'admin.entered': newActs,
  'service-key.created': newActs,
  'app.signed-in': newActs,
  'backup.created': newActs,
  'backup.restored': newActs,
  'database.adopted': newActs,
  'storage.adopted': 'each gives a new id to database and storage',
  'database.recovered': newActs,
  'app.consented': 'the user has agreed again, and the consent is as old as the newest agreement',
  'phone.change-scheduled': 'the wait begins anew, and the notices are sent again',
  'user.created': onlyOnce,
  'session.evicted': onlyOnce,
  'email.replaced': onlyOnce,
  'phone.changed': onlyOnce,
  'phone.change-failed': onlyOnce,
  'phone.lost': onlyOnce,
  'file.expired': onlyOnce,
  'sms.suspended': 'each send that is refused',
  'spend.suspended': 'once for a suspension: test/store/operations/abuse/sms-brake.contract.test.ts',
  'sweep.stopped': 'once for a stop: test/files/sweeps/sweep-rules.test.ts',
  'user.blocked': actOn('block'),
  'user.unblocked': actOn('block', 'unblock'),
  'user.signed-out': actOn('sign out'),
  'user.deleted': async ({ ports }) => {
    const { userId } = await signIn(ports, newPhone(), noon);
    return () => ports.users.deleteUser({ userId, by, now: noon });
  },
  'user.not-me': async ({ ports }) => {
    const userId = await ownerOf(ports, newEmail(), noon);
    const mail = prepareMailNotice(secrets, 'email-removed', { language: 'en', now: noon });
    await ports.bindings.removeEmail({ userId, notices: { mail, sms: undefined }, now: noon });
    return () => ports.notices.redeemNotice({ tokenHash: mail.tokenHash, now: noon });
  },
  'session.ended': async ({ ports }) => {
    const { userId, session } = await signIn(ports, newPhone(), noon);
    const ending = { userId, sessionId: session.id, scope: 'this', reason: 'logged out', now: noon } as const;
    return () => ports.sessions.endSessions(ending);
  },
  'session.reused': async ({ ports }) => {
    const { session } = await signIn(ports, newPhone(), noon);
    const rotation = { sessionId: session.id, seedHash: session.seedHash, policy: sessionPolicy };
    for (const counter of [0, 1])
      await ports.sessions.rotate({ ...rotation, counter, now: noon + (counter + 1) * hour });
    return () => ports.sessions.rotate({ ...rotation, counter: 0, now: noon + 3 * hour });
  },
  'email.bound': async ({ ports }) => {
    const { userId } = await signIn(ports, newPhone(), noon);
    const address = newEmail();
    return () => bind(ports, userId, address, noon);
  },
  'email.removed': async ({ ports }) => {
    const userId = await ownerOf(ports, newEmail(), noon);
    return () => ports.bindings.removeEmail({ userId, now: noon });
  },
  'phone.change-cancelled': async ({ ports, query }) => {
    const { userId, session } = await signIn(ports, newPhone(), noon);
    await query(`update users set next_phone = '${newPhone()}', next_phone_at = ${noon + day} where id = '${userId}'`);
    const notices = preparePhoneNotices(secrets, 'phone-change-cancelled', { language: 'en', now: noon });
    return () => ports.scheduledPhones.cancelPhoneChange({ userId, sessionId: session.id, notices, now: noon });
  },
  'limits.cleared': clear('limits.cleared'),
  'sms.resumed': clear('sms.resumed'),
  'keys.revoked': async ({ ports }) => {
    const key = makeSigningKey(secrets, ++generation, noon, noon);
    await ports.signingKeys.addKey(key);
    return () => ports.signingKeys.removeKey({ id: key.id, by, now: noon });
  },
  'file.deleted': withFile(
    async ({ ports }, file) =>
      () =>
        ports.files.deleteFile(file),
  ),
  'file.trashed': withFile(
    async ({ ports }, file) =>
      () =>
        ports.files.deleteFile({ ...file, trashUntil: noon + day }),
  ),
  'file.restored': withFile(async ({ ports }, file) => {
    await ports.files.deleteFile({ ...file, trashUntil: noon + day });
    return () => ports.trash.restoreFile(file);
  }),
  'file.removed': withFile(async ({ ports }, file) => {
    await ports.files.deleteFile({ ...file, trashUntil: noon + day });
    return () => ports.trash.removeFromTrash(file);
  }),
  'file.unshared': withFile(async ({ ports }, { userId, id: fileId, now }) => {
    const ask = {
      fileId,
      userId,
      now,
      id: randomText(12),
      expiresAt: now + hour,
      uses: undefined,
      purposes: ['image'],
    };
    await ports.sharing.createLink(ask);
    return () => ports.sharing.revokeLinks({ fileId, userId, now });
  }),
  'file.readers-changed': withFile(async ({ ports }, { userId, id: fileId, now }) => {
    const readers = [await newUser(ports, noon)];
    return () => ports.sharing.setReaders({ fileId, userId, readers, purposes: ['image'], now });
  }),
  'admin.left': endAdmin('left'),
  'admin.revoked': endAdmin('revoked'),
  'service-key.revoked': async ({ store }) => {
    const { serviceKeys } = createOperatorPorts(store);
    const { text: _, ...made } = makeServiceKey();
    await serviceKeys.create({ ...made, name: 'shop', scopes: ['users:read'], endsAt: noon + day, by, now: noon });
    return () => serviceKeys.revoke({ id: made.id, by, now: noon });
  },
  'app.withdrawn': async ({ ports }) => {
    const { userId } = await signIn(ports, newPhone(), noon);
    await ports.appStore.saveConsent({ userId, appId, scopes: ['openid'], now: noon });
    return () => ports.appStore.withdrawConsent({ userId, appId, now: noon });
  },
  'app.code-reused': async ({ ports }) => {
    const { session } = await signIn(ports, newPhone(), noon);
    const { codeHash } = await startApp(ports, session.id, noon);
    return () => ports.appStore.exchangeCode(exchange(codeHash, noon));
  },
  'user.data-changed': async ({ ports }) => {
    const { userId } = await signIn(ports, newPhone(), noon);
    const patch = { externalId: newId(), claims: '{"plan":"gold"}' };
    return () => ports.backendUsers.change({ userId, patch, by, now: noon });
  },
  'users.imported': async ({ store }) => {
    const drafts = [makeDraft({ id: newUserId(), phone: newPhone() })];
    return () => createOperatorPorts(store).imports.importUsers({ drafts, by, now: noon });
  },
};
