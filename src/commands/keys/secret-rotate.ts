// The command `secret rotate`: replaces the secret in the data folder. Where the secret is a setting, it explains how to change it.
import { makeSecret, rotateSecret } from '../../config/service-secret.ts';
import type { Command } from '../declarations.ts';

const manualSteps = `The secret is a setting, so you have to change it. The line on stdout is a new secret. With several nodes, in this order:

  1. SECRET=<current>  SECRET_PREVIOUS=<new>      on every node, restart one after the other: all nodes know both.
  2. SECRET=<new>      SECRET_PREVIOUS=<current>  on every node, restart one after the other: no user is signed out.
  3. Remove SECRET_PREVIOUS after REFRESH_TOKEN_IDLE has passed.

With one node, start with step 2. If the current secret was stolen, leave SECRET_PREVIOUS out: all users have to sign in again.`;

export const secretRotate: Command<'secret rotate'> = async (context, { reason, yes }) => {
  const { secret, dataDir } = context.config();
  if (secret !== undefined) {
    const made = makeSecret();
    context.say(manualSteps);
    context.show({ secret: made, isWritten: false }, made);
    return 0;
  }
  const by = context.act(reason);
  const { audit, clock } = await context.open();
  await context.confirm(
    `This writes a new secret into ${dataDir} and keeps the current one. The one before that is dropped, with everything made under it.`,
    yes,
  );
  rotateSecret(dataDir);
  await audit.record({ kind: 'secret.rotated', detail: { ...by }, now: clock.now() });
  context.show(
    { isWritten: true, dataDir },
    `The new secret is in ${dataDir}/secret, the previous one in secret.previous.`,
  );
  context.say(
    'Restart the service to use it. No user is signed out; you may delete secret.previous after REFRESH_TOKEN_IDLE has passed.',
  );
  return 0;
};
