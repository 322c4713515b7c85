// The signing keys that this node has loaded: the newest active key signs; all keys that are not retired or revoked verify.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { withoutClient } from '../../kernel/work/waiting-client.ts';
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
  /** Reloads the keys from the store, and creates the next key if one is due. */
  refresh(): Promise<void>;
  signer(): SigningKey;
  find(id: string): PublicKey | undefined;
  /** Like find, but reloads from the store if the key is unknown: another node may have just created it. */
  findOrReload(id: string): Promise<PublicKey | undefined>;
  jwks(): { keys: Record<string, unknown>[] };
};

type Parts = {
  readonly store: SigningKeyStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly policy: SigningKeyPolicy;
  readonly accessTokenLifeSeconds: number;
  /** Tokens with unknown key ids share one reload, followed by a pause, so that forged tokens cannot flood the store. */
  readonly pauseAfterReload?: () => Promise<unknown>;
};

const shortPause = () => sleep(100, undefined, { ref: false });

export function createKeyRing(parts: Parts): KeyRing {
  const { store, secrets, clock, policy, accessTokenLifeSeconds, pauseAfterReload = shortPause } = parts;
  let signers: { key: SigningKey; activeFrom: number }[] = [];
  let publics = new Map<string, PublicKey>();
  let opened = new Map<string, SigningKey | undefined>();
  let openedWith = '';
  let lastStarted = 0;
  let lastApplied = 0;
  let reloading: Promise<void> | undefined;
  let pause: Promise<unknown> = Promise.resolve();

  /** Decrypts each key once: stored keys never change. One that cannot be opened may be after a change of the secrets. */
  const open = (stored: StoredSigningKey) => {
    const known = opened.get(stored.privateKey) ?? openSigningKey(secrets, stored);
    opened.set(stored.privateKey, known);
    return known;
  };

  /** A key stops signing when its secret is no longer accepted, as after a restart. */
  const forgetDropped = () => {
    const accepted = secrets.ids.join(' ');
    if (accepted !== openedWith) opened = new Map();
    openedWith = accepted;
  };

  const refresh = async (): Promise<void> => {
    lastStarted += 1;
    const turn = lastStarted;
    forgetDropped();
    let stored = await store.listKeys();
    const next = planNextKey(stored, (key) => open(key) !== undefined, policy, clock.now());
    if (next !== undefined) {
      await store.addKey(makeSigningKey(secrets, next.generation, next.activeFrom, clock.now()));
      stored = await store.listKeys();
    }
    // A refresh that started later has newer data, even if it finished first.
    if (turn < lastApplied) return;
    lastApplied = turn;
    const live = stored.filter((key) => !isRetired(key, stored, accessTokenLifeSeconds, clock.now()));
    publics = new Map(live.map((key) => [key.id, publics.get(key.id) ?? readPublicKey(key)]));
    signers = live.flatMap((key) => {
      const signer = open(key);
      return signer === undefined ? [] : [{ key: signer, activeFrom: key.activeFrom }];
    });
    opened = new Map(stored.map(({ privateKey }) => [privateKey, opened.get(privateKey)]));
  };

  const reload = (): Promise<void> => {
    reloading ??= withoutClient(() => pause.then(refresh)).finally(() => {
      reloading = undefined;
      pause = pauseAfterReload();
    });
    return reloading;
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
    findOrReload: async (id) => {
      // A reload that started before this call may have read the store before the key was added.
      if (reloading !== undefined) await reloading;
      if (!publics.has(id)) await reload();
      return publics.get(id);
    },
    jwks: () => ({ keys: [...publics.values()].map(({ jwk }) => jwk) }),
  };
}

/** A newer key replaced it so long ago that its last token has expired. */
function isRetired(key: StoredSigningKey, all: readonly StoredSigningKey[], lifeSeconds: number, now: number): boolean {
  const successor = all.find((other) => other.generation > key.generation && other.activeFrom > key.activeFrom);
  return successor !== undefined && now > successor.activeFrom + (lifeSeconds + 3600) * 1000;
}
