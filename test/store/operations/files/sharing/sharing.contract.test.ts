// Contract of SharingStore: links open their file until their end, their last use or their revocation, and readers are named by the owner alone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FileLink, type LinkAsk, sharingLimits } from '../../../../../src/files/sharing/file-link.ts';
import type { StoredFile } from '../../../../../src/files/stored-file.ts';
import { randomText } from '../../../../../src/kernel/crypto/random.ts';
import { newUserId, type UserId } from '../../../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../../../src/store/ports.ts';
import { asFileId } from '../../../../helpers/people/ids.ts';
import { newUser, store } from '../../../../helpers/store/file-fixtures.ts';
import { hour, minute, noon } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('sharing', (open) => {
  const sharing = () => open().ports.sharing;
  const user = () => newUser(open().ports, noon);
  const add = async (userId?: UserId) => store(open().ports, userId ?? (await user()), noon);
  const ofFile = ({ id, userId }: StoredFile, now = noon) => ({ fileId: id, userId, now });
  const share = async (file: StoredFile, changes: Partial<LinkAsk> = {}): Promise<FileLink> => {
    const ask = { ...ofFile(file), id: randomText(12), expiresAt: noon + hour, uses: undefined, purposes: ['image'] };
    const link = await sharing().createLink({ ...ask, ...changes });
    assert.ok(typeof link === 'object', JSON.stringify(link));
    return link;
  };
  const openingOf = (link: FileLink, now = noon) => ({ ...link, linkId: link.id, now });
  const opened = async (link: FileLink, now = noon) => (await sharing().openLink(openingOf(link, now)))?.file.id;
  const events = async (file: StoredFile) =>
    (await open().rows('audit_events'))
      .filter(({ kind, user_id }) => user_id === file.userId && /shared|readers/.test(String(kind)))
      .map(({ kind, detail }) => [kind, JSON.parse(String(detail))]);

  it('a link opens its file until its end, with the record as it was stored', async () => {
    const file = await add();
    const link = await share(file, { uses: 2 });
    assert.deepEqual(await sharing().openLink(openingOf(link)), { file, link });
    assert.equal(await opened(link, link.expiresAt - 1), file.id);
    assert.equal(await opened(link, link.expiresAt), undefined);
    const until = new Date(link.expiresAt).toISOString();
    assert.deepEqual(await events(file), [['file.shared', { file: file.id, link: link.id, until, uses: 2 }]]);
  });

  it('a link does not open another file, nor for another epoch or end', async () => {
    const file = await add();
    const other = await add(file.userId);
    const link = await share(file);
    for (const changes of [
      { fileId: other.id },
      { fileId: asFileId('fil_unknown') },
      { id: 'unknown' },
      { epoch: 1 },
      { expiresAt: link.expiresAt + 1000 },
    ])
      assert.equal(await opened({ ...link, ...changes }), undefined, JSON.stringify(changes));
  });

  it('a link with two uses counts two, and opens no more', async () => {
    const link = await share(await add(), { uses: 2 });
    const counted = await Promise.all(Array.from({ length: 4 }, () => sharing().countUse(openingOf(link))));
    assert.deepEqual(counted, [true, true, false, false]);
    assert.equal(await opened(link), undefined);
  });

  it('a link without a number of uses counts none', async () => {
    const link = await share(await add());
    assert.equal(await sharing().countUse(openingOf(link)), false);
    assert.equal((await sharing().openLink(openingOf(link)))?.link.used, 0);
  });

  it('only the owner makes, lists and revokes links', async () => {
    const file = await add();
    const link = await share(file);
    const foreign = { ...ofFile(file), userId: await user() };
    const ask = { ...foreign, id: randomText(12), expiresAt: noon + hour, uses: undefined, purposes: ['image'] };
    assert.equal(await sharing().createLink(ask), 'not found');
    assert.equal(await sharing().listLinks(foreign), undefined);
    assert.equal(await sharing().revokeLinks(foreign), false);
    assert.equal(await sharing().revokeLinks({ ...foreign, linkId: link.id }), false);
    assert.equal(await opened(link), file.id);
    assert.equal(await sharing().createLink({ ...ask, ...ofFile(file), purposes: ['avatar'] }), 'not allowed');
  });

  it('links are listed newest first, with their uses, until their end', async () => {
    const file = await add();
    const first = await share(file, { uses: 3 });
    const second = await share(file, { now: noon + 1, expiresAt: noon + minute });
    await share(await add(file.userId));
    await sharing().countUse(openingOf(first));
    assert.deepEqual(await sharing().listLinks(ofFile(file)), [second, { ...first, used: 1 }]);
    assert.deepEqual(await sharing().listLinks(ofFile(file, noon + minute)), [{ ...first, used: 1 }]);
  });

  it('one link is revoked alone, and all with the epoch of the file', async () => {
    const file = await add();
    const links = [await share(file), await share(file), await share(file)];
    const one = links[0]?.id ?? '';
    assert.equal(await sharing().revokeLinks({ ...ofFile(file), linkId: one }), true);
    assert.equal(await sharing().revokeLinks({ ...ofFile(file), linkId: one }), false);
    assert.deepEqual(await Promise.all(links.map((link) => opened(link))), [undefined, file.id, file.id]);
    assert.equal(await sharing().revokeLinks(ofFile(file)), true);
    assert.deepEqual(await Promise.all(links.map((link) => opened(link))), [undefined, undefined, undefined]);
    const later = await share(file);
    assert.equal(later.epoch, 1);
    assert.equal(await opened(later), file.id);
    assert.deepEqual(
      (await events(file)).filter(([kind]) => kind === 'file.unshared').map(([, detail]) => detail),
      [
        { file: file.id, links: 1, link: one },
        { file: file.id, links: 2 },
      ],
    );
  });

  it('a file has at most a hundred links that work, and used-up ones make room', async () => {
    const file = await add();
    const links = await Promise.all(Array.from({ length: sharingLimits.linksPerFile }, () => share(file, { uses: 1 })));
    const ask = { ...ofFile(file), expiresAt: noon + hour, uses: undefined, purposes: ['image'] };
    assert.equal(await sharing().createLink({ ...ask, id: randomText(12) }), 'full');
    await Promise.all(links.slice(0, 2).map((link) => sharing().countUse(openingOf(link))));
    await share(file);
    assert.equal((await sharing().listLinks(ofFile(file)))?.length, sharingLimits.linksPerFile - 1);
  });

  it('the links of a blocked owner open nothing until the owner is unblocked', async () => {
    const { directory } = createOperatorPorts(open().store);
    const file = await add();
    const link = await share(file);
    await directory.actOn({ userId: file.userId, act: 'block', by, now: noon });
    assert.equal(await opened(link), undefined);
    await directory.actOn({ userId: file.userId, act: 'unblock', by, now: noon });
    assert.equal(await opened(link), file.id);
  });

  it('the readers whom a blocked owner named read nothing until the owner is unblocked', async () => {
    const { directory } = createOperatorPorts(open().store);
    const file = await add();
    const reader = await user();
    await sharing().setReaders({ ...ofFile(file), readers: [reader], purposes: ['image'] });
    const isNamed = async () => (await sharing().findFor({ id: file.id, userId: reader, now: noon }))?.isNamed;
    assert.equal(await isNamed(), true);
    await directory.actOn({ userId: file.userId, act: 'block', by, now: noon });
    assert.equal(await isNamed(), false);
    await directory.actOn({ userId: file.userId, act: 'unblock', by, now: noon });
    assert.equal(await isNamed(), true);
  });

  it('a file in the trash is open to nobody, and its links and readers work again after it is restored', async () => {
    const { files, trash } = open().ports;
    const file = await add();
    const reader = await user();
    const link = await share(file);
    await sharing().setReaders({ ...ofFile(file), readers: [reader], purposes: ['image'] });
    const found = () => sharing().findFor({ id: file.id, userId: reader, now: noon });
    await files.deleteFile({ userId: file.userId, id: file.id, now: noon, trashUntil: noon + hour });
    assert.deepEqual([await opened(link), await found()], [undefined, undefined]);
    assert.equal(await sharing().listLinks(ofFile(file)), undefined);
    await trash.restoreFile({ userId: file.userId, id: file.id, now: noon });
    assert.equal(await opened(link), file.id);
    assert.deepEqual(await found(), { file, isNamed: true });
  });

  it('readers are replaced, shown to the owner alone, and found with the file', async () => {
    const file = await add();
    const [ann, bob] = [await user(), await user()];
    const set = (...readers: UserId[]) => sharing().setReaders({ ...ofFile(file), readers, purposes: ['image'] });
    const isNamed = async (userId: UserId) => (await sharing().findFor({ id: file.id, userId, now: noon }))?.isNamed;
    assert.equal(await set(ann, bob), 'set');
    assert.deepEqual(await sharing().listReaders(ofFile(file)), [ann, bob].sort());
    assert.deepEqual([await isNamed(ann), await isNamed(bob), await isNamed(file.userId)], [true, true, false]);
    assert.equal(await set(bob), 'set');
    assert.equal(await set(bob), 'set');
    assert.deepEqual([await isNamed(ann), await isNamed(bob), await isNamed(newUserId())], [false, true, false]);
    assert.equal(await sharing().listReaders({ ...ofFile(file), userId: bob }), undefined);
    assert.equal(
      await sharing().setReaders({ ...ofFile(file), userId: bob, readers: [], purposes: ['image'] }),
      'not found',
    );
    assert.equal(await sharing().setReaders({ ...ofFile(file), readers: [], purposes: [] }), 'not allowed');
    assert.deepEqual(
      (await events(file)).map(([, detail]) => detail),
      [
        { file: file.id, added: 2, removed: 0 },
        { file: file.id, added: 0, removed: 1 },
      ],
    );
  });

  it('links and readers go with their file, and a deleted user reads nothing any more', async () => {
    const { files, users } = open().ports;
    const owner = await user();
    const reader = await user();
    const [one, two] = [await add(owner), await add(owner)];
    for (const file of [one, two]) {
      await share(file);
      await sharing().setReaders({ ...ofFile(file), readers: [reader, newUserId()], purposes: ['image'] });
    }
    const rowsOf = async (file: StoredFile) => {
      const [links, readers] = [await open().rows('file_links'), await open().rows('file_readers')];
      return [links, readers].map((rows) => rows.filter((row) => row.file_id === file.id).length);
    };
    await files.deleteFile({ userId: owner, id: one.id, now: noon, by });
    assert.deepEqual(
      [await rowsOf(one), await rowsOf(two)],
      [
        [0, 0],
        [1, 2],
      ],
    );
    await users.deleteUser({ userId: reader, now: noon });
    assert.deepEqual(await rowsOf(two), [1, 1]);
    await users.deleteUser({ userId: owner, now: noon });
    assert.deepEqual(await rowsOf(two), [0, 0]);
  });

  it('many openings in one turn of the event loop each get their own answer', async () => {
    const file = await add();
    const links = await Promise.all(Array.from({ length: 5 }, () => share(file)));
    const wanted = [...links, { ...links[0], id: 'unknown' } as FileLink];
    assert.deepEqual(await Promise.all(wanted.map((link) => opened(link))), [...links.map(() => file.id), undefined]);
  });
});
