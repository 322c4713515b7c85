// The command `keys revoke`: withdraws a signing key that others may have, with every access token it signed.

import { signingKeyPolicy } from '../auth/signing-key.ts';
import { listKeys } from '../support/list-keys.ts';
import { revokeKey } from '../support/revoke-key.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';

export const keysRevoke: Verb = async (context, [id = '']) => {
  const by = context.act();
  const { signingKeys, clock } = await context.open();
  const deps = { signingKeys, clock, secrets: context.secrets(), policy: signingKeyPolicy };
  const keys = await listKeys(deps);
  const unknown = new CommandError(`There is no key ${id}. See gatehouse keys list.`);
  if (!keys.some((key) => key.id === id)) throw unknown;
  if (!keys.some(({ does }) => does === 'signs'))
    throw new CommandError('SECRET is not the one that the service has: it opens none of its keys.');
  await context.confirm(`This refuses every access token that ${id} signed.`);
  const done = await revokeKey(deps, { id, by });
  if (done === undefined) throw unknown;
  const successor = done.replacedBy === undefined ? '' : ` ${done.replacedBy} signs from now on.`;
  context.show({ id, replacedBy: done.replacedBy ?? null }, `${id} is withdrawn.${successor}`);
  context.say(
    'Every node refuses its tokens within a second; clients renew theirs, nobody signs in anew.\nBack ends that keep a copy of the keys believe it until they fetch them again: tell them.',
  );
  return 0;
};
