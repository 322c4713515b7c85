// The command `keys rotate`: makes the next signing key before its time.

import { signingKeyPolicy } from '../auth/signing-key.ts';
import { listKeys } from '../support/list-keys.ts';
import { rotateKey } from '../support/rotate-key.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';
import { isoTime, writeTime } from './write-text.ts';

export const keysRotate: Verb = async (context, _, options) => {
  const by = context.act();
  const { signingKeys, clock } = await context.open();
  const deps = { signingKeys, clock, secrets: context.secrets(), policy: signingKeyPolicy };
  const keys = await listKeys(deps);
  if (keys.length > 0 && !keys.some(({ does }) => does === 'signs'))
    throw new CommandError('SECRET is not the one that the service has: it opens none of its keys.');
  const { id, activeFrom } = await rotateKey(deps, { atOnce: options.now === true, by });
  context.show({ id, activeFrom: isoTime(activeFrom) }, `${id} signs from ${writeTime(activeFrom)}.`);
  context.say(
    'Every node knows it within a second. Tokens of the keys before it stay valid until they end: nobody is signed out.',
  );
  return 0;
};
