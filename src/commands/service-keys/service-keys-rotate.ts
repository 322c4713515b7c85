// The command `service-keys rotate`: creates a key with the name and scopes of another, which stays valid until its end.

import { rotateServiceKey } from '../../backend/create-service-key.ts';
import { cleanReason } from '../../kernel/audit.ts';
import type { Command } from '../declarations.ts';
import { noSuchKey } from './no-such-key.ts';
import { readEnd } from './read-key-options.ts';
import { showNewKey } from './show-key.ts';

export const serviceKeysRotate: Command<'service-keys rotate'> = async (context, { id, until, reason }) => {
  // Wrong options are reported without a database.
  readEnd(until, Date.now());
  const { serviceKeys, clock } = await context.open();
  const endsAt = readEnd(until, clock.now());
  const by = { actor: 'cli', why: cleanReason(reason ?? '') } as const;
  const created = await rotateServiceKey({ serviceKeys, clock }, { id, endsAt, by }).catch(noSuchKey);
  showNewKey(context, created);
  context.say(
    `The old key works until its end. Once your server uses the new one: gatehouse service-keys revoke ${id}`,
  );
  return 0;
};
