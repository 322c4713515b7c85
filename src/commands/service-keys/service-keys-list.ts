// The command `service-keys list`: lists the service keys. Those that end last come first.
import { stateOfKey } from '../../backend/service-key.ts';
import type { Command } from '../declarations.ts';
import { writeTable, writeTime } from '../write-text.ts';
import { keyData } from './show-key.ts';

export const serviceKeysList: Command<'service-keys list'> = async (context, { limit }) => {
  const { serviceKeys, clock } = await context.open();
  const keys = await serviceKeys.list(limit);
  const now = clock.now();
  const rows = keys.map((key) => [
    key.name,
    key.id,
    key.scopes.join(','),
    writeTime(key.createdAt),
    writeTime(key.endsAt),
    writeTime(key.lastUsedAt),
    stateOfKey(key, now),
  ]);
  const head = ['name', 'id', 'scopes', 'created', 'ends', 'last used', 'state'];
  context.show({ serviceKeys: keys.map((key) => keyData(key, now)) }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No service keys yet. To create one: gatehouse service-keys create --help');
  return 0;
};
