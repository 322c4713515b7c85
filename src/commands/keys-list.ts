// The command `keys list`: the keys that sign access tokens, and what each does now.
import { listKeys } from '../support/list-keys.ts';
import type { Verb } from './operator-context.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const keysList: Verb = async (context) => {
  const { signingKeys, clock } = await context.open();
  const keys = await listKeys({ signingKeys, clock, secrets: context.secrets() });
  const data = keys.map((key) => ({
    ...key,
    createdAt: isoTime(key.createdAt),
    activeFrom: isoTime(key.activeFrom),
  }));
  const rows = keys.map(({ id, does, activeFrom, createdAt }) => [
    id,
    does,
    writeTime(activeFrom),
    writeTime(createdAt),
  ]);
  context.show({ keys: data }, writeTable(['key', 'does', 'signs from', 'made'], rows));
  return 0;
};
