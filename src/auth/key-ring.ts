// The signing keys that this node knows: signs with the newest active one, verifies with all that are neither retired nor revoked.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Secrets } from '../kernel/secrets.ts';
import {
  makeSigningKey,
  openSigningKey,
  type PublicKey,
  planNextKey,
  readPublicKey,
  type SigningKey,
  type SigningKeyPolicy,
  type SigningKeyStore,
  type StoredSigningKey,
} from './signing-key.ts';

export type KeyRing = {
  /** Reads the store again and makes the next key when it is time. */
  refresh(): Promise<void>;
  signer(): SigningKey;
  find(id: string): PublicKey | undefined;
  /** Like find, but asks the store before it gives up: another node may have made the key a moment ago. */
  findAnew(id: string): Promise<PublicKey | undefined>;
  jwks(): { keys: Record<string, unknown>[] };
};

type Parts = {
  readonly store: SigningKeyStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly policy: SigningKeyPolicy;
  readonly accessTokenLifeSeconds: number;
};

/** Tokens that name keys nobody made share one look into the store, with a rest after it. */
const restMilliseconds = 100;

export function createKeyRing({ store, secrets, clock, policy, accessTokenLifeSeconds }: Parts): KeyRing {
  let signers: { key: SigningKey; activeFrom: number }[] = [];
  let publics = new Map<string, PublicKey>();
  let opened = new Map<string, SigningKey | undefined>();
  let begun = 0;
  let applied = 0;
  let seeking: Promise<void> | undefined;
  let rest: Promise<unknown> = Promise.resolve();

  /** Opened once: a key is read again and again, and never changes. */
  const open = (stored: StoredSigningKey) => {
    if (!opened.has(stored.privateKey)) opened.set(stored.privateKey, openSigningKey(secrets, stored));
    return opened.get(stored.privateKey);
  };

  const refresh = async (): Promise<void> => {
    begun += 1;
    const turn = begun;
    let stored = await store.listKeys();
    const next = planNextKey(stored, (key) => open(key) !== undefined, policy, clock.now());
    if (next !== undefined) {
      await store.addKey(makeSigningKey(secrets, next.generation, next.activeFrom, clock.now()));
      stored = await store.listKeys();
    }
    // What began later has seen more, whoever answers first.
    if (turn < applied) return;
    applied = turn;
    const live = stored.filter((key) => !isRetired(key, stored, accessTokenLifeSeconds, clock.now()));
    publics = new Map(live.map((key) => [key.id, publics.get(key.id) ?? readPublicKey(key)]));
    signers = live.flatMap((key) => {
      const signer = open(key);
      return signer === undefined ? [] : [{ key: signer, activeFrom: key.activeFrom }];
    });
    opened = new Map(stored.map(({ privateKey }) => [privateKey, opened.get(privateKey)]));
  };

  const seek = (): Promise<void> => {
    seeking ??= rest.then(refresh).finally(() => {
      seeking = undefined;
      rest = sleep(restMilliseconds, undefined, { ref: false });
    });
    return seeking;
  };

  return {
    refresh,
    signer: () => {
      const now = clock.now();
      const key = signers.findLast(({ activeFrom }) => activeFrom <= now)?.key ?? signers.at(0)?.key;
      if (key === undefined) throw new Error('there is no signing key');
      return key;
    },
    find: (id) => publics.get(id),
    findAnew: async (id) => {
      // A look that began before we came may have been too early.
      if (seeking !== undefined) await seeking;
      if (!publics.has(id)) await seek();
      return publics.get(id);
    },
    jwks: () => ({ keys: [...publics.values()].map(({ jwk }) => jwk) }),
  };
}

/** Followed by a younger key for so long that its last token has ended. */
function isRetired(key: StoredSigningKey, all: readonly StoredSigningKey[], lifeSeconds: number, now: number): boolean {
  const follower = all.find((other) => other.generation > key.generation && other.activeFrom > key.activeFrom);
  return follower !== undefined && now > follower.activeFrom + (lifeSeconds + 3600) * 1000;
}
