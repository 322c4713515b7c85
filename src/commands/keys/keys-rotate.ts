// The command `keys rotate`: creates the next signing key ahead of schedule.
import { signingKeyPolicy } from '../../auth/tokens/signing-key.ts';
import { listKeys } from '../../support/keys/list-keys.ts';
import { rotateKey } from '../../support/keys/rotate-key.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTime } from '../write-text.ts';

export const keysRotate: Command<'keys rotate'> = async (context, { now: atOnce, reason }) => {
  const by = context.act(reason);
  const { signingKeys, clock } = await context.open();
  const deps = { signingKeys, clock, secrets: context.secrets(), policy: signingKeyPolicy };
  const keys = await listKeys(deps);
  if (keys.length > 0 && !keys.some(({ does }) => does === 'signs'))
    throw new CommandError('SECRET is not the secret of the service: it decrypts none of the signing keys.');
  const { id, activeFrom } = await rotateKey(deps, { atOnce, by });
  context.show({ id, activeFrom: isoTime(activeFrom) }, `${id} signs from ${writeTime(activeFrom)}.`);
  context.say(
    'Every node knows the new key within a second. Tokens of earlier keys stay valid until they expire: no user is signed out.',
  );
  return 0;
};
