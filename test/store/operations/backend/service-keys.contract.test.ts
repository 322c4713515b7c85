// Contract of service keys, on both databases: created, replaced, used and revoked in one commit with their audit event.
import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import {
  makeServiceKey,
  mostLiveKeys,
  type ServiceKey,
  type ServiceKeyCreation,
} from '../../../../src/backend/service-key.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { day, hour, minute, noon } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('service keys', (open) => {
  const ports = () => createOperatorPorts(open().store);
  const keys = () => ports().serviceKeys;

  /** The sweep removes keys ninety days after their end, so each test begins without any. */
  afterEach(async () => {
    const late = { now: noon + 1000 * day, most: 1000, accessTokenLifeSeconds: 900 };
    for (const target of ['serviceKeys', 'auditEvents'] as const)
      await open().store.call('tables.sweep', { ...late, target });
    assert.deepEqual(await keys().list(10), []);
  });

  const draftOf = (name = 'shop', endsAt = noon + day) => {
    const { text: _, ...made } = makeServiceKey();
    return { ...made, name, scopes: ['users:read', 'events:read'] as const, endsAt, by, now: noon };
  };

  async function create(name?: string, endsAt?: number): Promise<ServiceKey> {
    return keyOf(await keys().create(draftOf(name, endsAt)));
  }

  const kinds = async () =>
    (await ports().audit.list({ since: 0, most: 10 })).map(({ kind, detail }) => [kind, detail.serviceKey, detail.why]);

  it('a key is created with its audit event, and its hash is among the live keys', async () => {
    const draft = draftOf();
    const { id, secretHash, scopes } = draft;
    const key = {
      id,
      name: 'shop',
      scopes,
      createdBy: 'cli',
      createdAt: noon,
      endsAt: noon + day,
      revokedAt: undefined,
      lastUsedAt: undefined,
    };
    assert.deepEqual(await keys().create(draft), key);
    assert.deepEqual(await keys().list(10), [key]);
    assert.deepEqual(await keys().listLive(noon), [{ ...key, secretHash }]);
    assert.deepEqual(await kinds(), [['service-key.created', id, 'a test']]);
  });

  it('a key is live until its end, and listed after it', async () => {
    const { id } = await create();
    const liveAt = async (now: number) => (await keys().listLive(now)).map((key) => key.id);
    assert.deepEqual(await liveAt(noon + day - 1), [id]);
    assert.deepEqual(await liveAt(noon + day), []);
    assert.equal((await keys().list(10)).length, 1);
  });

  it('one of many racing revocations wins, and the key is not live from that moment on', async () => {
    const { id } = await create();
    const revoked = await Promise.all(Array.from({ length: 5 }, () => keys().revoke({ id, by, now: noon + hour })));
    assert.equal(revoked.filter(Boolean).length, 1);
    assert.deepEqual(await keys().listLive(noon + hour), []);
    const [listed] = await keys().list(10);
    assert.deepEqual([listed?.revokedAt, listed?.endsAt], [noon + hour, noon + hour]);
    assert.deepEqual((await kinds())[0], ['service-key.revoked', id, 'a test']);
    assert.equal((await kinds()).length, 2);
    assert.equal(await keys().revoke({ id: 'unknown', by, now: noon }), false);
  });

  it('a rotated key has the name and scopes of the old one, which stays live', async () => {
    const old = await create();
    const { name: _, scopes: __, ...fresh } = draftOf('unused', noon + 2 * day);
    const rotated = keyOf(await keys().rotate({ ...fresh, replaces: old.id }));
    assert.deepEqual([rotated.name, rotated.scopes, rotated.endsAt], [old.name, old.scopes, noon + 2 * day]);
    assert.deepEqual(
      (await keys().listLive(noon)).map(({ id }) => id),
      [rotated.id, old.id],
    );
    const [event] = await ports().audit.list({ since: 0, most: 1 });
    assert.equal(event?.detail.replaces, old.id);
  });

  it('a revoked or unknown key is not rotated', async () => {
    const old = await create();
    await keys().revoke({ id: old.id, by, now: noon });
    const { name: _, scopes: __, ...fresh } = draftOf();
    assert.equal(await keys().rotate({ ...fresh, replaces: old.id }), undefined);
    assert.equal(await keys().rotate({ ...fresh, replaces: 'unknown' }), undefined);
    assert.equal((await keys().list(10)).length, 1);
  });

  it('the last use is written at most once a minute', async () => {
    const { id } = await create();
    const used = async () => (await keys().list(1))[0]?.lastUsedAt;
    for (const [now, expected] of [
      [noon, noon],
      [noon + minute - 1, noon],
      [noon + minute, noon + minute],
      [noon - hour, noon + minute],
    ] as const) {
      await keys().touch({ id, now });
      assert.equal(await used(), expected);
    }
    await keys().touch({ id: 'unknown', now: noon });
  });

  it('no more than the allowed number of keys is live, and an ended one makes room', async () => {
    const drafts = Array.from({ length: mostLiveKeys }, (_, at) => draftOf(`app ${at}`, noon + hour + at));
    const created = await Promise.all(drafts.map((draft) => keys().create(draft)));
    assert.ok(!created.includes('full'));
    assert.equal(await keys().create(draftOf()), 'full');
    const { name: _, scopes: __, ...fresh } = draftOf();
    const [first] = created;
    assert.equal(await keys().rotate({ ...fresh, replaces: keyOf(first).id }), 'full');
    await keys().revoke({ id: keyOf(first).id, by, now: noon });
    assert.notEqual(await keys().create(draftOf()), 'full');
  });
});

function keyOf(created: ServiceKeyCreation | undefined): ServiceKey {
  assert.ok(created !== undefined && created !== 'full');
  return created;
}
