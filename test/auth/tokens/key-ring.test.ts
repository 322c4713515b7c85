// The signing keys of a node: which one signs, which ones verify, when one is made or retired, and how unknown ids reload them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeyRing } from '../../../src/auth/tokens/key-ring.ts';
import { makeSigningKey, type SigningKeyStore, type StoredSigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { createSecrets, type Secrets } from '../../../src/kernel/crypto/secrets.ts';
import { day, hour, noon } from '../../helpers/store/fixtures.ts';

const secrets = createSecrets('the secret '.repeat(4));
const policy = { lifeSeconds: 30 * 86_400, publishAheadSeconds: 86_400 };
const first = makeSigningKey(secrets, 1, noon - 10 * day, noon - 10 * day);
const second = makeSigningKey(secrets, 2, noon + hour, noon - day);
const sealed = makeSigningKey(createSecrets('another secret '.repeat(3)), 3, noon - hour, noon - day);

const middle = makeSigningKey(secrets, 2, noon - 2 * day, noon - 3 * day);

type Gate = { readonly promise: Promise<void>; readonly open: () => void };

function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

/** A ring over a store in memory, with a clock, and pauses that the test ends. */
function createStage(...keys: StoredSigningKey[]) {
  return createStageWith(secrets, ...keys);
}

function createStageWith(secrets: Secrets, ...keys: StoredSigningKey[]) {
  const stage = {
    keys,
    now: noon,
    calls: [] as string[],
    pauses: [] as Gate[],
    /** Gates that the next calls of listKeys wait for, after they have read. */
    gates: [] as Gate[],
  };
  const store: SigningKeyStore = {
    listKeys: async () => {
      stage.calls.push('list');
      const read = [...stage.keys];
      await stage.gates.shift()?.promise;
      return read;
    },
    addKey: async (key) => {
      stage.calls.push(`add ${key.generation}`);
      stage.keys.push(key);
      return true;
    },
    removeKey: () => assert.fail('removed'),
  };
  const pauseAfterReload = () => {
    const gate = createGate();
    stage.pauses.push(gate);
    return gate.promise;
  };
  const clock = { now: () => stage.now };
  const parts = { store, secrets, clock, policy, accessTokenLifeSeconds: 900, pauseAfterReload };
  return { stage, store, ring: createKeyRing(parts) };
}

/** Lets everything run that does not wait for the test. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe('a ring of signing keys', () => {
  it('a ring over an empty store makes the first key, which signs and verifies at once', async () => {
    const { stage, ring } = createStage();
    await ring.refresh();
    assert.deepEqual(stage.calls, ['list', 'add 1', 'list']);
    const [made] = stage.keys;
    assert.deepEqual([made?.createdAt, made?.activeFrom], [noon, noon]);
    assert.equal(ring.signer().id, made?.id);
    assert.equal(ring.find(made?.id ?? '')?.id, made?.id);
  });

  it('a ring makes no key while none is due', async () => {
    const { stage, ring } = createStage(first);
    await ring.refresh();
    assert.deepEqual(stage.calls, ['list']);
  });

  it('a ring uses the key of another node that made the same generation first', async () => {
    const { stage, store, ring } = createStage();
    store.addKey = async () => {
      stage.keys.push(first);
      return false;
    };
    await ring.refresh();
    assert.equal(ring.signer().id, first.id);
  });

  it('a ring without keys does not sign', () => {
    assert.throws(() => createStage().ring.signer(), new Error('there is no signing key'));
  });

  const signers: [what: string, keys: StoredSigningKey[], now: number, expected: StoredSigningKey][] = [
    ['the one that is active', [first, second], noon, first],
    ['the next one from its first millisecond', [first, second], noon + hour, second],
    ['the one before until then', [first, second], noon + hour - 1, first],
    ['the first where none is active yet', [{ ...first, activeFrom: noon + 50_000 }, second], noon, first],
    ['an older one where the newest cannot be opened', [first, middle, sealed], noon, middle],
    [
      'the one that waits where the active one cannot be opened',
      [sealed, { ...second, generation: 4, activeFrom: noon + 50_000 }],
      noon,
      second,
    ],
  ];
  for (const [what, keys, now, expected] of signers) {
    it(`the key that signs is ${what}`, async () => {
      const { stage, ring } = createStage(...keys);
      await ring.refresh();
      stage.now = now;
      assert.equal(ring.signer().id, expected.id);
    });
  }

  it('keys that wait or cannot be opened verify and are published', async () => {
    const { ring } = createStage(first, second, sealed);
    await ring.refresh();
    for (const { id } of [first, second, sealed]) assert.equal(ring.find(id)?.id, id);
    assert.deepEqual(
      ring.jwks().keys.map(({ kid }) => kid),
      [first.id, second.id, sealed.id],
    );
    for (const id of ['unknown', '', '__proto__', 'constructor']) assert.equal(ring.find(id), undefined);
  });

  const retirement = second.activeFrom + (900 + 3600) * 1000;
  for (const [what, now, isKept] of [
    ['until its last token has expired', retirement, true],
    ['not after that', retirement + 1, false],
  ] as const) {
    it(`a key that was replaced verifies ${what}`, async () => {
      const { stage, ring } = createStage(first, second);
      stage.now = now;
      await ring.refresh();
      assert.equal(ring.find(first.id) !== undefined, isKept);
      assert.notEqual(ring.find(second.id), undefined);
      assert.equal(ring.jwks().keys.length, isKept ? 2 : 1);
    });
  }

  for (const [what, activeFrom] of [
    ['before it', noon - 25 * day],
    ['with it', noon - 20 * day],
  ] as const) {
    it(`a key is not retired by one that started ${what}`, async () => {
      const older = { ...first, generation: 1, activeFrom: noon - 20 * day };
      const { ring } = createStage(older, { ...second, generation: 2, activeFrom });
      await ring.refresh();
      assert.equal(ring.jwks().keys.length, 2);
    });
  }

  it('a key that was revoked neither signs nor verifies after a refresh', async () => {
    const { stage, ring } = createStage(first, { ...second, activeFrom: noon - day });
    await ring.refresh();
    assert.equal(ring.signer().id, second.id);
    stage.keys.pop();
    await ring.refresh();
    assert.equal(ring.signer().id, first.id);
    assert.equal(ring.find(second.id), undefined);
  });

  it('a key is opened once, however often the ring is refreshed', async () => {
    const { ring } = createStage(first);
    await ring.refresh();
    const [signer, found] = [ring.signer(), ring.find(first.id)];
    await ring.refresh();
    await ring.refresh();
    assert.equal(ring.signer(), signer);
    assert.equal(ring.find(first.id), found);
  });

  it('a key whose secret is dropped signs no more after the next refresh, and still verifies', async () => {
    const [dropped, kept] = ['a dropped secret'.repeat(3), 'a kept secret'.repeat(3)];
    const live = createSecrets(kept, dropped);
    const old = makeSigningKey(createSecrets(dropped), 1, noon - day, noon - day);
    const { stage, ring } = createStageWith(live, old);
    await ring.refresh();
    assert.equal(ring.signer().id, old.id);
    live.replace(kept);
    await ring.refresh();
    assert.equal(stage.keys.length, 2);
    assert.equal(ring.signer().id, stage.keys[1]?.id);
    assert.equal(ring.find(old.id)?.id, old.id);
  });

  it('a refresh that started earlier and ends later changes nothing', async () => {
    const { stage, ring } = createStage(first);
    const gate = createGate();
    stage.gates.push(gate);
    const early = ring.refresh();
    stage.keys.push(second);
    await ring.refresh();
    gate.open();
    await early;
    assert.notEqual(ring.find(second.id), undefined);
  });

  it('a refresh that fails leaves the keys as they were', async () => {
    const { store, ring } = createStage(first);
    await ring.refresh();
    store.listKeys = () => Promise.reject(new Error('no store'));
    await assert.rejects(ring.refresh(), /no store/);
    assert.equal(ring.signer().id, first.id);
  });
});

describe('an id of a key that is not loaded', () => {
  it('a known id is found without the store', async () => {
    const { stage, ring } = createStage(first);
    await ring.refresh();
    stage.calls.length = 0;
    assert.equal((await ring.findOrReload(first.id))?.id, first.id);
    assert.deepEqual(stage.calls, []);
  });

  it('an unknown id reloads the keys, and is found if another node has made it', async () => {
    const { stage, ring } = createStage(first);
    await ring.refresh();
    stage.keys.push(second);
    assert.equal((await ring.findOrReload(second.id))?.id, second.id);
    assert.deepEqual(stage.calls, ['list', 'list']);
  });

  it('unknown ids at the same time share one reload, and a second one after the pause', async () => {
    const { stage, ring } = createStage(first);
    const found = Promise.all(['x', 'y', 'z'].map((id) => ring.findOrReload(id)));
    await settle();
    assert.deepEqual([stage.calls.length, stage.pauses.length], [1, 1], 'nothing is read during the pause');
    stage.pauses[0]?.open();
    assert.deepEqual(await found, [undefined, undefined, undefined]);
    assert.equal(stage.calls.length, 2);
  });

  it('an unknown id after a reload waits for the pause', async () => {
    const { stage, ring } = createStage(first);
    await ring.findOrReload('x');
    const later = ring.findOrReload('y');
    await settle();
    assert.equal(stage.calls.length, 1);
    stage.pauses[0]?.open();
    await later;
    assert.equal(stage.calls.length, 2);
  });

  it('an id that was added while a reload was reading is found by the next reload', async () => {
    const { stage, ring } = createStage(first);
    const gate = createGate();
    stage.gates.push(gate);
    const early = ring.findOrReload('x');
    await settle();
    stage.keys.push(second);
    const late = ring.findOrReload(second.id);
    gate.open();
    await early;
    stage.pauses[0]?.open();
    assert.equal((await late)?.id, second.id);
  });

  it('a reload that fails is reported, and the next one is tried after the pause', async () => {
    const { stage, store, ring } = createStage(first);
    const { listKeys } = store;
    store.listKeys = () => Promise.reject(new Error('no store'));
    await assert.rejects(ring.findOrReload('x'), /no store/);
    store.listKeys = listKeys;
    stage.pauses[0]?.open();
    assert.equal((await ring.findOrReload(first.id))?.id, first.id);
  });
});
