// The check of a service key: one answer for every bad key, a cache of half a second, and few reads of the store.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createServiceKeyCheck, keyCacheMilliseconds } from '../../src/backend/check-service-key.ts';
import {
  keyOfDraft,
  makeServiceKey,
  revokeKey,
  type ServiceKeyStore,
  type StoredServiceKey,
} from '../../src/backend/service-key.ts';
import { Failure } from '../../src/kernel/failure.ts';

const by = { actor: 'cli', why: 'a test' } as const;

function stage(count = 1) {
  const begun = Date.UTC(2026, 5, 1);
  const time = { passed: 0 };
  const now = () => begun + time.passed;
  const made = Array.from({ length: count }, makeServiceKey);
  const stored = new Map<string, StoredServiceKey>(
    made.map((key) => [
      key.id,
      keyOfDraft({ ...key, name: 'shop', scopes: ['users:read'], endsAt: begun + 86_400_000, by, now: begun }),
    ]),
  );
  const seen = { reads: 0, touches: [] as number[] };
  let failure: Error | undefined;
  const serviceKeys = {
    listLive: async (at: number) => {
      seen.reads += 1;
      if (failure !== undefined) throw failure;
      return [...stored.values()].filter(({ endsAt }) => endsAt > at);
    },
    touch: async (use: { now: number }) => {
      seen.touches.push(use.now - begun);
    },
  } as Partial<ServiceKeyStore> as ServiceKeyStore;
  const check = createServiceKeyCheck({ serviceKeys, clock: { now } }, () => time.passed);
  let counted = 0;
  const ask = async (text: string | undefined, beforeReading: () => void = () => undefined) => {
    try {
      const caller = await check(text, () => {
        counted += 1;
        beforeReading();
      });
      return caller.keyId;
    } catch (error) {
      if (error instanceof Failure) return error.code;
      throw error;
    }
  };
  return {
    ask,
    check,
    seen,
    time,
    text: made[0]?.text ?? '',
    id: made[0]?.id ?? '',
    counted: () => counted,
    revoke: () => {
      for (const [id, key] of stored) stored.set(id, { ...key, ...revokeKey(key, now()) });
    },
    add: () => {
      const key = makeServiceKey();
      stored.set(key.id, keyOfDraft({ ...key, name: 'new', scopes: [], endsAt: now() + 1000, by, now: now() }));
      return key;
    },
    fail: (error: Error | undefined) => {
      failure = error;
    },
  };
}

describe('the check of a service key', () => {
  it('a live key gives its id and scopes', async () => {
    const { check, text, id } = stage();
    assert.deepEqual(await check(text, () => undefined), { keyId: id, scopes: ['users:read'] });
  });

  it('a missing, malformed, unknown or changed key gets the same refusal', async () => {
    const { ask, text } = stage();
    const changed = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
    for (const bad of [undefined, '', 'x', text.slice(0, -1), makeServiceKey().text, changed])
      assert.equal(await ask(bad), 'SERVICE_KEY_INVALID', String(bad));
  });

  it('a key does not work with the secret of another', async () => {
    const { ask, add, text } = stage();
    const other = add().text;
    assert.equal(await ask(text.slice(0, 17) + other.slice(17)), 'SERVICE_KEY_INVALID');
  });

  it('nothing is found while there is no live key', async () => {
    const none = stage(0);
    assert.equal(await none.ask(undefined), 'NOT_FOUND');
    assert.equal(await none.ask(makeServiceKey().text), 'NOT_FOUND');
    const one = stage();
    assert.equal(await one.ask(one.text), one.id);
    one.time.passed = 86_400_000;
    assert.equal(await one.ask(one.text), 'NOT_FOUND', 'the last key has ended');
  });

  it('a key ends at its end, also between two reads', async () => {
    const { ask, add, time } = stage();
    const { text, id } = add();
    time.passed = 900;
    assert.equal(await ask(text), id);
    time.passed = 1000;
    assert.equal(await ask(text), 'SERVICE_KEY_INVALID');
  });

  it('a revoked key is refused half a second after the last read at the latest', async () => {
    const { ask, add, text, id, time, revoke } = stage();
    assert.equal(await ask(text), id);
    revoke();
    add();
    time.passed = keyCacheMilliseconds;
    assert.equal(await ask(text), id);
    time.passed = keyCacheMilliseconds + 1;
    assert.equal(await ask(text), 'SERVICE_KEY_INVALID');
  });

  it('a steady stream of requests does not prolong the cache', async () => {
    const { ask, text, id, time, revoke } = stage();
    assert.equal(await ask(text), id);
    revoke();
    const answers: string[] = [];
    for (time.passed = 100; time.passed <= 1000; time.passed += 100) answers.push(await ask(text));
    assert.deepEqual(answers, [id, id, id, id, id, ...Array.from({ length: 5 }, () => 'NOT_FOUND')]);
    assert.ok(keyCacheMilliseconds <= 500);
  });

  it('the store is asked at most twice a second for known, missing and malformed keys', async () => {
    const { ask, text, time, seen, counted } = stage();
    for (time.passed = 0; time.passed < 1000; time.passed += 10)
      await Promise.all([ask(text), ask(text), ask('x'), ask(undefined)]);
    assert.equal(seen.reads, 2);
    assert.equal(counted(), 0, 'nothing was read for the sake of one request');
  });

  it('a new key works at once', async () => {
    const { ask, add, text, id, time } = stage();
    assert.equal(await ask(text), id);
    time.passed = 1;
    const key = add();
    assert.equal(await ask(key.text), key.id);
  });

  it('the first key works at once', async () => {
    const { ask, add, time } = stage(0);
    assert.equal(await ask(undefined), 'NOT_FOUND');
    time.passed = 1;
    const key = add();
    assert.equal(await ask(key.text), key.id);
  });

  it('unknown keys that arrive together share one read, and each is counted before it', async () => {
    const { ask, text, time, seen, counted } = stage();
    await ask(text);
    time.passed = 1;
    const guesses = Array.from({ length: 50 }, () => makeServiceKey().text);
    await Promise.all(guesses.map((guess) => ask(guess)));
    assert.equal(seen.reads, 2);
    assert.equal(counted(), 50);
  });

  it('an unknown key whose caller may ask no more costs no read', async () => {
    const { ask, text, time, seen } = stage();
    await ask(text);
    time.passed = 1;
    const refuse = () => {
      throw new Failure('RATE_LIMITED', { retryAfterSeconds: 5 });
    };
    assert.equal(await ask(makeServiceKey().text, refuse), 'RATE_LIMITED');
    assert.equal(seen.reads, 1);
  });

  it('the last use is written once a minute, also by many requests at once', async () => {
    const { ask, text, time, seen } = stage();
    await Promise.all([ask(text), ask(text), ask(text)]);
    for (const passed of [1000, 59_999, 60_000, 60_001, 119_999, 120_000]) {
      time.passed = passed;
      await Promise.all([ask(text), ask(text)]);
    }
    assert.deepEqual(seen.touches, [0, 60_000, 120_000]);
  });

  it('a refused key is not used', async () => {
    const { ask, text, seen } = stage();
    await ask(`${text.slice(0, -1)}!`);
    await ask(undefined);
    assert.deepEqual(seen.touches, []);
  });

  it('a store that fails is asked again by the next request', async () => {
    const { ask, text, id, fail } = stage();
    fail(new Error('away'));
    await assert.rejects(ask(text), /away/);
    fail(undefined);
    assert.equal(await ask(text), id);
  });
});
