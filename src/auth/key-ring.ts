// The signing keys that this node knows: signs with the newest active one, verifies with all that are not retired.
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
  /** Like find, but asks the store once more, at most every few seconds, before it gives up: another node may have made the key. */
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

const pauseMilliseconds = 5000;

export function createKeyRing({ store, secrets, clock, policy, accessTokenLifeSeconds }: Parts): KeyRing {
  let signers: { key: SigningKey; activeFrom: number }[] = [];
  let publics = new Map<string, PublicKey>();
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    refreshedAt = clock.now();
    let stored = await store.listKeys();
    const next = planNextKey(stored, (key) => openSigningKey(secrets, key) !== undefined, policy, clock.now());
    if (next !== undefined) {
      await store.addKey(makeSigningKey(secrets, next.generation, next.activeFrom, clock.now()));
      stored = await store.listKeys();
    }
    const live = stored.filter((key) => !isRetired(key, stored, accessTokenLifeSeconds, clock.now()));
    publics = new Map(live.map((key) => [key.id, publics.get(key.id) ?? readPublicKey(key)]));
    signers = live.flatMap((key) => {
      const opened = openSigningKey(secrets, key);
      return opened === undefined ? [] : [{ key: opened, activeFrom: key.activeFrom }];
    });
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
      if (clock.now() - refreshedAt >= pauseMilliseconds) await refresh();
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
