// The command `service-keys create`: creates a key for the server of an app. The key alone goes to stdout, so that it can be piped.

import { createServiceKey } from '../../backend/create-service-key.ts';
import { cleanReason } from '../../kernel/audit.ts';
import type { Command } from '../declarations.ts';
import { readKeyOptions } from './read-key-options.ts';
import { showNewKey } from './show-key.ts';

export const serviceKeysCreate: Command<'service-keys create'> = async (context, { name, scope, until, reason }) => {
  // Wrong options are reported without a database.
  readKeyOptions({ name, scope, until }, Date.now());
  const { serviceKeys, clock } = await context.open();
  const wish = readKeyOptions({ name, scope, until }, clock.now());
  const by = { actor: 'cli', why: cleanReason(reason ?? '') } as const;
  showNewKey(context, await createServiceKey({ serviceKeys, clock }, { ...wish, by }));
  return 0;
};
