// A storage whose session a test can change: to an unknown token, to one that is due or expired, or to none.
import type { SessionRecord } from '../../../client/src/session-keeper.ts';
import { memoryStorage } from '../../../client/src/storage.ts';

export function spoilableStorage(url: string) {
  const storage = memoryStorage();
  const key = `gatehouse:${url}`;
  const read = async () => JSON.parse((await storage.get(key)) ?? 'null') as Required<SessionRecord>;
  const change = async (part: Partial<Record<keyof SessionRecord, unknown>>) =>
    storage.set(key, JSON.stringify({ ...(await read()), ...part }));
  return {
    storage,
    tokens: async () => (await read()).tokens,
    spoil: async () => change({ tokens: { ...(await read()).tokens, JWT: 'no.such.token' } }),
    age: () => change({ refreshAt: 0 }),
    expire: () => change({ refreshAt: 0, expiresAt: 0 }),
    strip: () => change({ refreshAt: 0, expiresAt: 0, tokens: undefined }),
  };
}
