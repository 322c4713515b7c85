// Contract of SigningKeyStore: one key per generation, whichever node creates it first.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createKeyRing } from '../../../../../src/auth/tokens/key-ring.ts';
import { makeSigningKey, signingKeyPolicy } from '../../../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../../../src/kernel/crypto/secrets.ts';
import { createPorts } from '../../../../../src/store/ports.ts';
import { day, noon } from '../../../../helpers/store/fixtures.ts';
import { openNode } from '../../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const secrets = createSecrets('a secret of some length '.repeat(2));

onEveryStore('signing keys', (open, kind) => {
  const newKey = (generation: number) => makeSigningKey(secrets, generation, noon + generation * day, noon);

  it('listKeys returns signing keys by generation, exactly as they were added', async () => {
    const { signingKeys } = open().ports;
    assert.deepEqual(await signingKeys.listKeys(), []);
    const [one, two, ten] = [newKey(1), newKey(2), newKey(10)];
    for (const key of [ten, one, two]) assert.equal(await signingKeys.addKey(key), true);
    assert.deepEqual(await signingKeys.listKeys(), [one, two, ten]);
  });

  it('addKey keeps the first signing key of a generation', async () => {
    const { signingKeys } = open().ports;
    const [first, second] = [newKey(20), newKey(20)];
    assert.equal(await signingKeys.addKey(first), true);
    assert.equal(await signingKeys.addKey(second), false);
    assert.deepEqual((await signingKeys.listKeys()).at(-1), first);
    const events = (await open().rows('audit_events')).filter((event) => event.kind === 'keys.rotated');
    assert.ok(events.some(({ detail }) => detail.includes(first.id)));
    assert.ok(!events.some(({ detail }) => detail.includes(second.id)));
  });

  it('one of many signing keys of a generation in one turn of the event loop is added', async () => {
    const { signingKeys } = open().ports;
    const added = await Promise.all(Array.from({ length: 4 }, () => signingKeys.addKey(newKey(30))));
    assert.deepEqual(added, [true, false, false, false]);
  });

  it('removeKey removes a signing key once and records the reason', async () => {
    const { signingKeys } = open().ports;
    const key = newKey(40);
    await signingKeys.addKey(key);
    const removal = { id: key.id, by: { actor: 'cli', why: 'stolen' }, now: noon } as const;
    const removed = await Promise.all([removal, removal].map((input) => signingKeys.removeKey(input)));
    assert.deepEqual(removed, [true, false]);
    assert.equal(await signingKeys.removeKey(removal), false);
    assert.ok(!(await signingKeys.listKeys()).some(({ id }) => id === key.id));
    const events = (await open().rows('audit_events')).filter(({ kind }) => kind === 'keys.revoked');
    assert.deepEqual(
      events.map(({ detail }) => JSON.parse(detail)),
      [{ key: key.id, actor: 'cli', why: 'stolen' }],
    );
  });

  it('a node finds every signing key that another node has created, even several in a row', async () => {
    const { signingKeys } = open().ports;
    const ring = createKeyRing({
      store: signingKeys,
      secrets,
      clock: { now: () => noon },
      policy: signingKeyPolicy,
      accessTokenLifeSeconds: 900,
    });
    await ring.refresh();
    for (const key of [newKey(50), newKey(51), newKey(52)]) {
      const early = ring.findOrReload(key.id);
      await signingKeys.addKey(key);
      const found = await Promise.all([ring.findOrReload(key.id), ring.findOrReload('x'.repeat(22))]);
      assert.deepEqual([found[0]?.id, found[1]], [key.id, undefined]);
      await early;
    }
  });

  it('two nodes that start together sign with the same key', async () => {
    await open().query('delete from signing_keys returning id');
    const node = await openNode(kind, open().address);
    const rings = [open().ports, createPorts(node)].map(({ signingKeys }) =>
      createKeyRing({
        store: signingKeys,
        secrets,
        clock: { now: () => noon },
        policy: signingKeyPolicy,
        accessTokenLifeSeconds: 900,
      }),
    );
    await Promise.all(rings.map((ring) => ring.refresh()));
    const [a, b] = rings.map((ring) => ring.signer().id);
    assert.equal(a, b);
    assert.equal((await open().ports.signingKeys.listKeys()).length, 1);
    await node.close();
  });
});
