// Contract of the import of users: creates and completes, never changes or merges, and a repetition leaves no trace.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noImportedFields, type UserDraft } from '../../../../src/backend/import-user.ts';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import { newUserId } from '../../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asEmail, asEmailKey, asPhone } from '../../../helpers/people/ids.ts';
import { makeDraft, makeUserRecord } from '../../../helpers/people/user.ts';
import { bind, newEmail, newPhone, noon, phoneSignIn, rightAttempt, signIn } from '../../../helpers/store/fixtures.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

function draft(changes: Partial<UserDraft> = {}): UserDraft {
  const email = newEmail();
  return makeDraft({
    id: newUserId(),
    externalId: `abroad ${newId()}`,
    phone: newPhone(),
    email: asEmail(email.toUpperCase()),
    emailKey: asEmailKey(email),
    claims: '{"plan":"gold"}',
    'metadata.public': '{"name":"Ann"}',
    'metadata.private': '{"note":"vip"}',
    createdAt: noon - 1_000_000,
    seenAt: noon - 500_000,
    ...changes,
  });
}

const { phone: _, ...onlyPhone } = noImportedFields;

onEveryStore('the import of users', (open, kind) => {
  const imports = () => createOperatorPorts(open().store).imports;
  const importing = (...drafts: UserDraft[]) => imports().importUsers({ drafts, by, now: noon });
  const rowsOf = async (...ids: string[]) => (await open().rows('users')).filter((row) => ids.includes(String(row.id)));
  const events = async () => (await open().rows('audit_events')).filter(({ kind }) => kind === 'users.imported');

  it('a new user has every field of the draft and can sign in at once', async () => {
    const [ann, ben] = [draft(), draft({ ...onlyPhone, blockedAt: noon - 7000 })];
    assert.deepEqual(await importing(ann, ben), ['created', 'created']);
    const rows = await rowsOf(ann.id, ben.id);
    const row = rows.find(({ id }) => id === ann.id);
    assert.deepEqual(
      [row?.phone, row?.email, row?.email_key, row?.external_id, row?.created_at, row?.seen_at, row?.blocked_at],
      [ann.phone, ann.email, ann.emailKey, ann.externalId, ann.createdAt, ann.seenAt, null],
    );
    assert.deepEqual(
      [row?.claims, row?.metadata_public, row?.metadata_private],
      ['{"plan":"gold"}', '{"name":"Ann"}', '{"note":"vip"}'],
    );
    assert.equal(rows.find(({ id }) => id === ben.id)?.blocked_at, noon - 7000);
    const { ports } = open();
    assert.equal((await signIn(ports, asPhone(ann.phone ?? ''), noon)).userId, ann.id);
    const attempt = await rightAttempt(ports, ben.phone ?? '', noon);
    assert.equal(
      (await ports.signIns.signInWithPhone(phoneSignIn(attempt, asPhone(ben.phone ?? ''), noon))).kind,
      'blocked',
    );
  });

  it('a repeated import changes no row and writes no event', async () => {
    const drafts = [draft(), draft(onlyPhone), draft({ phone: null })];
    await importing(...drafts);
    const before = [await open().rows('users'), await events()];
    const again = drafts.map((one) => ({ ...one, id: newUserId(), createdAt: noon, blockedAt: noon }));
    assert.deepEqual(await importing(...again), ['unchanged', 'unchanged', 'unchanged']);
    assert.deepEqual([await open().rows('users'), await events()], before);
  });

  it('an existing user gets only what is missing, and keeps sessions, number and address', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { userId } = await signIn(ports, phone, noon);
    await bind(ports, userId, email, noon);
    const [before] = await rowsOf(userId);
    const more = draft({ phone });
    assert.deepEqual(await importing({ ...more, blockedAt: noon }), ['completed']);
    const [after] = await rowsOf(userId);
    const added = { external_id: more.externalId, claims: more.claims };
    const data = { metadata_public: more['metadata.public'], metadata_private: more['metadata.private'] };
    assert.deepEqual(after, { ...before, ...added, ...data });
    assert.equal((await ports.sessions.listSessions({ userId, now: noon })).length, 1);
  });

  it('a draft is matched by external id, then number, then address, and two users never become one', async () => {
    const [ann, ben] = [draft(), draft()];
    await importing(ann, ben);
    const anew = (changes: Partial<UserDraft>) => draft({ ...onlyPhone, phone: null, ...changes });
    const address = ({ email, emailKey }: UserDraft) => ({ email, emailKey });
    const before = await rowsOf(ann.id, ben.id);
    assert.deepEqual(
      await importing(
        anew({ externalId: ann.externalId, phone: newPhone() }),
        anew(address(ann)),
        anew({ externalId: ann.externalId, phone: ben.phone }),
        anew({ phone: ann.phone, ...address(ben) }),
        anew({ externalId: 'another', phone: ann.phone }),
        anew({ id: ann.id, externalId: ben.externalId, phone: newPhone() }),
      ),
      [
        'unchanged',
        'unchanged',
        'the phone number belongs to another user',
        'the e-mail address belongs to another user',
        'the user has another external id',
        'the external id belongs to another user',
      ],
    );
    assert.deepEqual(await rowsOf(ann.id, ben.id), before);
  });

  it('lines of one batch see each other: the same user twice is created once', async () => {
    const ann = draft({ email: null, emailKey: null });
    const email = newEmail();
    const outcomes = await importing(
      ann,
      { ...ann, id: newUserId() },
      { ...ann, id: newUserId(), email: asEmail(email), emailKey: asEmailKey(email) },
      { ...ann, id: newUserId(), externalId: 'another' },
    );
    assert.deepEqual(outcomes, ['created', 'unchanged', 'completed', 'the user has another external id']);
    const [row, ...others] = (await open().rows('users')).filter(({ phone }) => phone === ann.phone);
    assert.deepEqual([row?.id, row?.email, others], [ann.id, email, []]);
  });

  it('a batch has one event with its counts, and no message', async () => {
    const count = (await events()).length;
    const messages = await open().rows('outbox');
    await importing(draft(), draft(onlyPhone));
    const [event, ...others] = (await events()).slice(count);
    assert.deepEqual(JSON.parse(String(event?.detail)), { created: 2, completed: 0, ...by });
    assert.deepEqual([event?.user_id, others], [null, []]);
    assert.deepEqual(await open().rows('outbox'), messages);
  });

  it('a preview answers what an import would and writes nothing', async () => {
    const [ann, ben] = [draft(), draft()];
    await importing(ann);
    const drafts = [{ ...ann, id: newUserId() }, ben, { ...ben, id: newUserId(), externalId: 'another' }];
    const before = [await open().rows('users'), await events()];
    const foreseen = await imports().previewImport({ drafts, by, now: noon });
    assert.deepEqual([await open().rows('users'), await events()], before);
    assert.deepEqual(foreseen, ['unchanged', 'created', 'the user has another external id']);
    assert.deepEqual(await importing(...drafts), foreseen);
  });

  it('two nodes that import the same users at once create each user once', async () => {
    const drafts = Array.from({ length: 50 }, () => draft());
    const other = await openNode(kind, open().address);
    try {
      const again = drafts.map((one) => ({ ...one, id: newUserId() })).reverse();
      const [one, two] = await Promise.all([
        importing(...drafts),
        createOperatorPorts(other).imports.importUsers({ drafts: again, by, now: noon }),
      ]);
      assert.deepEqual([...one, ...two].filter((outcome) => outcome === 'created').length, 50);
    } finally {
      await other.close();
    }
    const phones = new Set(drafts.map(({ phone }) => phone));
    assert.equal((await open().rows('users')).filter(({ phone }) => phones.has(asPhone(String(phone)))).length, 50);
  });

  it('listExported gives all users in the order of their ids, a page at a time', async () => {
    const { exports } = createOperatorPorts(open().store);
    const ann = draft();
    await importing(ann);
    const ids = (await open().rows('users')).map(({ id }) => String(id)).sort();
    const listed = [];
    for (let after = ''; ; ) {
      const page = await exports.listExported({ after, most: 2 });
      listed.push(...page);
      after = page.at(-1)?.id ?? '';
      if (page.length === 0) break;
    }
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids,
    );
    const { id, createdAt, seenAt: lastSeenAt } = ann;
    const [phone, email, externalId] = [ann.phone ?? undefined, ann.email ?? undefined, ann.externalId ?? undefined];
    const data = { claims: { plan: 'gold' }, publicMetadata: { name: 'Ann' } };
    const user = makeUserRecord({ id, phone, email, externalId, createdAt, ...data });
    assert.deepEqual(
      listed.find((one) => one.id === id),
      { ...user, privateMetadata: { note: 'vip' }, lastSeenAt },
    );
  });

  it('listExported gives the last use of a session, which may be later than the last sign-in', async () => {
    const { exports } = createOperatorPorts(open().store);
    const { userId } = await signIn(open().ports, newPhone(), noon);
    const [later, id] = [noon + 9 * 86_400_000, `id = '${userId}'`];
    await open().query(`update users set seen_at = ${noon} where ${id}`);
    await open().query(`update sessions set last_used_at = ${later} where user_${id}`);
    const page = await exports.listExported({ after: '', most: 1000 });
    assert.equal(page.find((user) => user.id === userId)?.lastSeenAt, later);
  });
});
