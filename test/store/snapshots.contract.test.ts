// Contract of a snapshot: accounts without a number survive it with their last use, consents to apps do not, and events to read go on.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { readEvents } from '../../src/backend/read-events.ts';
import type { Page } from '../../src/backup/snapshot.ts';
import { openEmptyStore, openSnapshot } from '../../src/service/choose-snapshots.ts';
import { createOperatorPorts } from '../../src/store/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { asUserId } from '../helpers/people/ids.ts';
import { bind, day, newEmail, newPhone, noon, phoneClaim, signIn } from '../helpers/store/fixtures.ts';
import { openNode } from '../helpers/store/open-node.ts';
import { createEmptyDatabase, onEveryStore } from '../helpers/store/test-store.ts';

onEveryStore('a snapshot', (open, kind) => {
  const placeOf = (address: string) => ({
    databaseUrl: kind === 'postgres' ? address : undefined,
    dataDir: dirname(address),
  });

  /** A backup of the database, restored into an empty one. */
  const copyToEmpty = async (address: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-snapshot-'));
    const snapshot = await openSnapshot(placeOf(address), folder);
    const empty = await createEmptyDatabase(kind);
    async function* pages(): AsyncIterable<Page> {
      for (const shape of snapshot.shapes) for await (const page of snapshot.pages(shape)) yield { shape, rows: page };
    }
    await (await openEmptyStore(placeOf(empty.address))).fill(snapshot.migrations, pages());
    await snapshot.close();
    rmSync(folder, { recursive: true });
    return empty;
  };

  it('a restored account without a number is whole, and its last use is that of its sessions', async () => {
    const { ports, address, rows, query } = open();
    const phone = newPhone();
    const { userId } = await signIn(ports, phone, noon);
    await bind(ports, userId, newEmail(), noon);
    const ticket = { userId, phone, lastUse: noon };
    const claim = phoneClaim(ticket, noon + 200 * day);
    assert.equal((await ports.signIns.claimPhone(claim)).kind, 'signed in');
    await query(`update sessions set last_used_at = ${noon + 150 * day} where user_id = '${userId}'`);
    await signIn(ports, newPhone(), noon + day);
    const users = await rows('users');

    const empty = await copyToEmpty(address);
    const comparedCells = (row: Record<string, unknown>) => [
      row.id,
      row.phone,
      row.email,
      Number(row.created_at),
      Number(row.seen_at),
    ];
    const restored = (await empty.query('select * from users order by id')).map(comparedCells);
    const expected = users
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) => comparedCells(row.id === userId ? { ...row, phone: null, seen_at: noon + 150 * day } : row));
    assert.deepEqual(restored, expected);
    assert.equal(restored.length, 3);
    await empty.end();
  });

  it('a restored database has none of the consents to apps: one may have been withdrawn since', async () => {
    const { ports, address } = open();
    const { userId } = await signIn(ports, newPhone(), noon);
    await ports.appStore.saveConsent({ userId, appId: 'shop', scopes: ['openid'], now: noon });
    const empty = await copyToEmpty(address);
    assert.deepEqual(await empty.query('select * from app_consents'), []);
    await empty.end();
  });

  it('a restored log of events is a new era: old cursors have expired, and no event is lost or comes before an older one', async () => {
    const { store, address } = open();
    const record = (on: Store, place: number) =>
      on.call('audit.record', { kind: 'user.created', userId: asUserId('ann'), detail: { place }, now: noon });
    const read = async (on: Store, after?: string) => {
      const { events } = createOperatorPorts(on);
      const { next, ...page } = await readEvents({ events }, { after, limit: 1000 });
      return { next, ids: page.events.map(({ id }) => id) };
    };
    await record(store, 0);
    const { next } = await read(store);
    for (const place of [1, 2, 3]) await record(store, place);

    const empty = await copyToEmpty(address);
    const restored = await openNode(kind, empty.address);
    await restored.migrations.up();
    await record(restored, 4);
    await assert.rejects(read(restored, next), { code: 'CURSOR_EXPIRED' });
    const { ids } = await read(restored);
    const places = new Map(
      (await empty.query(`select id, detail from audit_events`)).map(({ id, detail }) => [
        id,
        JSON.parse(String(detail)).place,
      ]),
    );
    assert.deepEqual(
      ids.map((id) => places.get(id)).filter((place) => place !== undefined),
      [0, 1, 2, 3, 4],
    );
    await restored.close();
    await empty.end();
  });
});
