// The command `secret rotate`: puts a new secret in place where it lies in the data folder, and says what to do where it does not.
import { makeSecret, rotateSecret } from '../config/service-secret.ts';
import type { Verb } from './operator-context.ts';

const byHand = `The secret is a setting, so you change it. The line on stdout is a new one. With several nodes, in this order:

  1. SECRET=<present one>  SECRET_PREVIOUS=<new one>      on every node, restart one after the other: all know both.
  2. SECRET=<new one>      SECRET_PREVIOUS=<present one>  on every node, restart one after the other: nobody is signed out.
  3. When REFRESH_TOKEN_IDLE has passed, take SECRET_PREVIOUS away.

With one node, begin with step 2. If the present one was stolen, leave SECRET_PREVIOUS out: everybody signs in anew.`;

export const secretRotate: Verb = async (context) => {
  const { secret, dataDir } = context.config();
  if (secret !== undefined) {
    const made = makeSecret();
    context.say(byHand);
    context.show({ secret: made, isWritten: false }, made);
    return 0;
  }
  const by = context.act();
  const { audit, clock } = await context.open();
  await context.confirm(
    `This puts a new secret into ${dataDir}; a second change loses what was made under the one before.`,
  );
  rotateSecret(dataDir);
  await audit.record({ kind: 'secret.rotated', detail: { ...by }, now: clock.now() });
  context.show(
    { isWritten: true, dataDir },
    `A new secret is in ${dataDir}/secret, the one before it in secret.previous.`,
  );
  context.say(
    'Restart the service to use it. Nobody is signed out; when REFRESH_TOKEN_IDLE has passed, secret.previous may go.',
  );
  return 0;
};
