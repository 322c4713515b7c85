// The command `keys revoke`: revokes a stolen signing key, and with it every access token that it signed.
import { signingKeyPolicy } from '../../auth/tokens/signing-key.ts';
import { listKeys } from '../../support/keys/list-keys.ts';
import { revokeKey } from '../../support/keys/revoke-key.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';

export const keysRevoke: Command<'keys revoke'> = async (context, { id, reason, yes }) => {
  const by = context.act(reason);
  const { signingKeys, clock } = await context.open();
  const deps = { signingKeys, clock, secrets: context.secrets(), policy: signingKeyPolicy };
  const keys = await listKeys(deps);
  const unknown = new CommandError(`There is no key ${id}. See gatehouse keys list.`);
  if (!keys.some((key) => key.id === id)) throw unknown;
  if (!keys.some(({ does }) => does === 'signs'))
    throw new CommandError('SECRET is not the secret of the service: it decrypts none of the signing keys.');
  await context.confirm(`This refuses every access token that ${id} signed.`, yes);
  const done = await revokeKey(deps, { id, by });
  if (done === undefined) throw unknown;
  const successor = done.replacedBy === undefined ? '' : ` ${done.replacedBy} signs from now on.`;
  context.show({ id, replacedBy: done.replacedBy ?? null }, `${id} is revoked.${successor}`);
  context.say(
    'Every node refuses its tokens within a second; clients refresh theirs, and no user has to sign in again.\nBack ends that cache the public keys accept its tokens until they fetch the keys again: tell their operators.',
  );
  return 0;
};
