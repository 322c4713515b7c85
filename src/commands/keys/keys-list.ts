// The command `keys list`: lists the keys that sign access tokens, and what each is used for.
import { listKeys } from '../../support/keys/list-keys.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';

export const keysList: Command<'keys list'> = async (context) => {
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
  context.show({ keys: data }, writeTable(['key', 'does', 'signs from', 'created'], rows));
  return 0;
};
