// Use case: list the signing keys and the current role of each.

import { openSigningKey, type SigningKeyStore } from '../../auth/tokens/signing-key.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';

type Deps = { readonly signingKeys: SigningKeyStore; readonly secrets: Secrets; readonly clock: Clock };

type ListedKey = {
  readonly id: string;
  readonly generation: number;
  readonly createdAt: number;
  readonly activeFrom: number;
  /** next: published, not yet active. signs: signs new tokens. verifies: only verifies tokens that it signed before. */
  readonly does: 'next' | 'signs' | 'verifies';
};

/** Newest first. */
export async function listKeys({ signingKeys, secrets, clock }: Deps): Promise<ListedKey[]> {
  const now = clock.now();
  const keys = await signingKeys.listKeys();
  const signer = keys.findLast((key) => key.activeFrom <= now && openSigningKey(secrets, key) !== undefined);
  return keys.toReversed().map((key) => {
    const { id, generation, createdAt, activeFrom } = key;
    const does = key === signer ? 'signs' : activeFrom > now ? 'next' : 'verifies';
    return { id, generation, createdAt, activeFrom, does };
  });
}
