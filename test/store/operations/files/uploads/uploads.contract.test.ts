// Contract of FileStore, uploads: space is reserved before the first byte, counted once it is a file, and freed in every other case.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { newUserId, type UserId } from '../../../../../src/kernel/ids.ts';
import { asUploadId } from '../../../../helpers/people/ids.ts';
import {
  newUser,
  reservation,
  settlement,
  store,
  storedFile,
  wideQuota,
} from '../../../../helpers/store/file-fixtures.ts';
import { day, minute, noon } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('uploads', (open) => {
  const files = () => open().ports.files;
  const user = () => newUser(open().ports, noon);
  const nothing = { bytes: 0, files: 0 };
  const uploadsOf = async (userId: UserId) => (await open().rows('uploads')).filter((row) => row.user_id === userId);
  const kindOf = async (input: ReturnType<typeof reservation>) => (await files().reserve(input)).kind;

  it('a settled upload becomes a file that counts with its true size', async () => {
    const userId = await user();
    const reserved = reservation(userId, noon, { bytes: 10 });
    assert.deepEqual(await files().reserve(reserved), { kind: 'reserved' });
    assert.deepEqual(await files().usage(userId), nothing);
    const settled = settlement(reserved, { file: { size: 321 } });
    assert.equal(await files().findFile({ id: settled.file.id, now: noon }), undefined);
    assert.deepEqual(await files().settle(settled), { kind: 'stored' });
    assert.deepEqual(await files().findFile({ id: settled.file.id, now: noon }), settled.file);
    assert.deepEqual(await files().usage(userId), { bytes: 321, files: 1 });
    assert.deepEqual(await uploadsOf(userId), []);
    const events = (await open().rows('audit_events')).filter(({ detail }) => detail.includes(settled.file.id));
    assert.deepEqual(
      events.map((event) => [event.kind, event.user_id, event.created_at]),
      [['file.stored', userId, noon]],
    );
  });

  it('isStored says whether a settlement with an unknown outcome was done', async () => {
    const userId = await user();
    const file = await store(open().ports, userId, noon);
    assert.equal(await files().isStored({ userId, id: file.id }), true);
    assert.equal(await files().isStored({ userId, id: storedFile(userId, noon).id }), false);
    assert.equal(await files().isStored({ userId: newUserId(), id: storedFile(userId, noon).id }), false);
  });

  it('reservations count running uploads, to the byte and to the file', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 3 };
    const of = (bytes: number) => reservation(userId, noon, { bytes, quota });
    await store(open().ports, userId, noon, { reservation: { bytes: 40, quota } });
    assert.equal(await kindOf(of(61)), 'full');
    assert.equal(await kindOf(of(60)), 'reserved');
    assert.equal(await kindOf(of(1)), 'full');
    assert.equal(await kindOf(of(0)), 'reserved');
    assert.equal(await kindOf(of(0)), 'full', 'three files');
    assert.equal(await kindOf(reservation(await user(), noon, { bytes: 100, quota })), 'reserved');
    assert.deepEqual(await files().usage(userId), { bytes: 40, files: 1 });
  });

  it('room is what is left beside stored files and reservations, and a user without usage has none', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 4 };
    const hasRoom = (bytes: number, count: number) => files().hasRoom({ userId, room: { bytes, files: count }, quota });
    assert.equal(await hasRoom(1, 1), false, 'no record of usage');
    await store(open().ports, userId, noon, { reservation: { bytes: 40, quota }, file: { size: 40 } });
    assert.equal(await hasRoom(60, 3), true);
    assert.equal(await hasRoom(61, 1), false);
    assert.equal(await hasRoom(1, 4), false);
    const running = reservation(userId, noon, { bytes: 20, quota });
    await files().reserve(running);
    assert.equal(await hasRoom(40, 2), true);
    assert.equal(await hasRoom(41, 1), false);
    assert.equal(await hasRoom(1, 3), false);
    await files().release(running.uploadId);
    assert.equal(await hasRoom(60, 3), true);
    await open().ports.users.deleteUser({ userId, now: noon });
    assert.equal(await hasRoom(1, 1), false, 'deleted');
  });

  it('reservations in one turn of the event loop are counted exactly', async () => {
    const [one, other] = [await user(), await user()];
    const quota = { bytes: 1000, files: 7 };
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        kindOf(reservation(index % 2 === 0 ? one : other, noon, { bytes: index % 2 === 0 ? 300 : 1, quota })),
      ),
    );
    const reserved = [0, 1].map(
      (side) => all.filter((kind, index) => kind === 'reserved' && index % 2 === side).length,
    );
    assert.deepEqual(reserved, [3, 7]);
  });

  it('a settlement larger than the remaining quota is refused and frees its reservation', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 10 };
    const [small, other] = [10, 50].map((bytes) => reservation(userId, noon, { bytes, quota }));
    if (small === undefined || other === undefined) assert.fail();
    for (const one of [small, other]) await files().reserve(one);
    const grown = settlement(small, { file: { size: 51 } });
    assert.deepEqual(await files().settle(grown), { kind: 'full' });
    assert.equal(await files().findFile({ id: grown.file.id, now: noon }), undefined);
    assert.deepEqual(await files().usage(userId), nothing);
    assert.deepEqual(
      (await uploadsOf(userId)).map(({ id }) => id),
      [other.uploadId],
    );
    assert.deepEqual(await files().settle(settlement(other, { file: { size: 100 } })), { kind: 'stored' });
  });

  it('a released upload frees its space once', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 1 };
    const reserved = reservation(userId, noon, { quota });
    assert.equal(await kindOf(reserved), 'reserved');
    assert.equal(await kindOf(reservation(userId, noon, { quota })), 'full');
    for (let round = 0; round < 2; round++) await files().release(reserved.uploadId);
    await files().release(asUploadId(newId()));
    assert.equal(await kindOf(reservation(userId, noon, { quota })), 'reserved');
    assert.equal((await uploadsOf(userId)).length, 1);
  });

  it('an infected upload is recorded, and frees its space and key, in one commit', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 1 };
    const keyId = newId();
    const reserved = reservation(userId, noon, { quota, keyId });
    assert.equal(await kindOf(reserved), 'reserved');
    assert.equal(await kindOf(reservation(userId, noon, { quota, keyId })), 'in progress');
    const detail = { purpose: 'image', size: 7, sha256: 'ab', signature: 'Some.Name' };
    const infection = { uploadId: reserved.uploadId, userId, ...detail, now: noon };
    assert.equal(await files().refuseInfected(infection), 'refused');
    assert.deepEqual(await uploadsOf(userId), []);
    assert.deepEqual(await files().usage(userId), nothing);
    const events = (await open().rows('audit_events')).filter((event) => event.user_id === userId);
    const infected = events.filter(({ kind }) => kind === 'file.infected');
    assert.deepEqual(
      infected.map((event) => [JSON.parse(event.detail), event.created_at]),
      [[detail, noon]],
    );
    assert.equal(await kindOf(reservation(userId, noon, { quota, keyId })), 'reserved');
  });

  it('an infected upload of a deleted user is gone, and leaves no event', async () => {
    const userId = newUserId();
    const detail = { purpose: 'image', size: 7, sha256: 'ab', signature: 'X', now: noon };
    assert.equal(await files().refuseInfected({ uploadId: asUploadId(newId()), userId, ...detail }), 'gone');
    const events = (await open().rows('audit_events')).filter((event) => event.user_id === userId);
    assert.deepEqual(events, []);
  });

  it('an upload holds its space and key exactly for its lease, which can be renewed', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 1 };
    const keyId = newId();
    const held = reservation(userId, noon, { quota, keyId });
    const later = (now: number, key?: string) => kindOf(reservation(userId, now, { quota, keyId: key }));
    assert.equal(await kindOf(held), 'reserved');
    assert.equal(await later(noon + minute - 1), 'full');
    await files().hold({ uploadId: held.uploadId, leaseUntil: noon + 2 * minute });
    assert.equal(await later(noon + 2 * minute - 1, keyId), 'in progress');
    await files().hold({ uploadId: asUploadId(newId()), leaseUntil: noon + day });
    assert.equal(await later(noon + 2 * minute, keyId), 'reserved');
    assert.equal(await later(noon + 2 * minute), 'full');
  });

  it('an upload settled after its lease is stored only if there is space', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 10 };
    const late = reservation(userId, noon, { quota });
    await files().reserve(late);
    const next = reservation(userId, noon + minute, { quota });
    assert.equal(await kindOf(next), 'reserved');
    assert.deepEqual(await files().settle(settlement(late, { now: noon + minute })), { kind: 'full' });
    await files().release(next.uploadId);
    assert.deepEqual(await files().settle(settlement(late, { now: noon + minute })), { kind: 'stored' });
  });

  it('a used idempotency key returns its file, whatever the quota, until it expires', async () => {
    const userId = await user();
    const reserved = reservation(userId, noon, { keyId: newId(), quota: { bytes: 100, files: 1 } });
    await files().reserve(reserved);
    const settled = settlement(reserved);
    await files().settle(settled);
    const again = (now: number) => files().reserve({ ...reserved, uploadId: asUploadId(newId()), now });
    const known = { kind: 'known', fingerprint: settled.key?.fingerprint, file: settled.file };
    assert.deepEqual(await again(noon), known);
    assert.deepEqual(await again(noon + day - 1), known);
    assert.deepEqual(await uploadsOf(userId), [], 'nothing is held for a repetition');
    assert.deepEqual(await again(noon + day), { kind: 'full' });
  });

  it('one of many reservations in one turn of the event loop gets the idempotency key', async () => {
    const userId = await user();
    const keyId = newId();
    const all = await Promise.all(Array.from({ length: 5 }, () => kindOf(reservation(userId, noon, { keyId }))));
    assert.deepEqual(all, ['reserved', ...Array.from({ length: 4 }, () => 'in progress')]);
  });

  it('an idempotency key can be used again if its upload failed or its file was deleted', async () => {
    const userId = await user();
    const keyId = newId();
    const failed = reservation(userId, noon, { keyId });
    assert.equal(await kindOf(failed), 'reserved');
    await files().release(failed.uploadId);
    const file = await store(open().ports, userId, noon, { reservation: { keyId } });
    assert.equal(await kindOf(reservation(userId, noon, { keyId })), 'known');
    await files().deleteFile({ userId, id: file.id, now: noon });
    const next = await store(open().ports, userId, noon + 1, { reservation: { keyId } });
    const known = await files().reserve(reservation(userId, noon + 2, { keyId }));
    assert.equal(known.kind === 'known' && known.file.id, next.id);
  });

  it('an idempotency key makes one file, even if a lease ran out meanwhile', async () => {
    const userId = await user();
    const keyId = newId();
    const slow = reservation(userId, noon, { keyId });
    await files().reserve(slow);
    const fast = await store(open().ports, userId, noon + minute, { reservation: { keyId } });
    const late = settlement(slow, { now: noon + minute + 1 });
    const outcome = await files().settle(late);
    assert.deepEqual(outcome, { kind: 'known', fingerprint: late.key?.fingerprint, file: fast });
    assert.deepEqual(await files().usage(userId), { bytes: 100, files: 1 });
    assert.equal(await files().findFile({ id: late.file.id, now: noon }), undefined);
    assert.deepEqual(await uploadsOf(userId), []);
  });

  it('an upload of a deleted user is refused, before and after the reservation', async () => {
    const userId = await user();
    const reserved = reservation(userId, noon, { keyId: newId() });
    await files().reserve(reserved);
    await open().ports.users.deleteUser({ userId, now: noon });
    assert.deepEqual(await files().settle(settlement(reserved)), { kind: 'gone' });
    assert.deepEqual(await files().reserve(reservation(userId, noon)), { kind: 'gone' });
    assert.deepEqual(await files().reserve(reservation(newUserId(), noon)), { kind: 'gone' });
    for (const table of ['files', 'file_usage', 'uploads'] as const) {
      assert.deepEqual(
        (await open().rows(table)).filter((row) => row.user_id === userId),
        [],
        table,
      );
    }
  });

  it('a settlement whose file id is taken is undone completely', async () => {
    const userId = await user();
    const taken = await store(open().ports, userId, noon);
    const reserved = reservation(userId, noon, { keyId: newId() });
    await files().reserve(reserved);
    const clash = settlement(reserved, { file: storedFile(userId, noon, { id: taken.id }) });
    await assert.rejects(files().settle(clash));
    assert.deepEqual(await files().usage(userId), { bytes: 100, files: 1 });
    assert.equal((await files().reserve({ ...reserved, uploadId: asUploadId(newId()) })).kind, 'in progress');
    assert.deepEqual(await files().settle(settlement(reserved, { quota: wideQuota })), { kind: 'stored' });
  });
});
