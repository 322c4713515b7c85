// The command `service-keys revoke`: revokes a key of the server of an app.

import { revokeServiceKey } from '../../backend/revoke-service-key.ts';
import { cleanReason } from '../../kernel/audit.ts';
import type { Command } from '../declarations.ts';
import { noSuchKey } from './no-such-key.ts';

export const serviceKeysRevoke: Command<'service-keys revoke'> = async (context, { id, reason }) => {
  const by = { actor: 'cli', why: cleanReason(reason ?? '') } as const;
  await revokeServiceKey(await context.open(), { id, by }).catch(noSuchKey);
  context.show({ id }, `${id} is revoked. Every node refuses it within a second.`);
  return 0;
};
