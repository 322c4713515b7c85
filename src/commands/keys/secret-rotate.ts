// The command `secret rotate`: replaces the secret in the data folder. Where the secret is a setting, it explains how to change it.
import { setTimeout } from 'node:timers/promises';
import { makeSecret, rotateSecret } from '../../config/service-secret.ts';
import type { Command } from '../declarations.ts';

const manualSteps = `The secret is a setting, so you have to change it. The line on stdout is a new secret. In this order:

  1. SECRET_PREVIOUS: the current and the new secret, one on each line, on every node. All nodes accept both.
  2. SECRET: the new secret, on every node. No user is signed out.
  3. SECRET_PREVIOUS: the new secret alone, after REFRESH_TOKEN_IDLE has passed.

With SECRET_FILE and SECRET_PREVIOUS_FILE, change the files: the service reads them every second and needs no restart. Each node logs
“secrets changed” with the ids of the secrets; wait for all before the next step. With SECRET itself, restart one node after the other.
If the current secret was stolen, set a new SECRET without SECRET_PREVIOUS and restart: all users have to sign in again.`;

/** A process of the service reads the files every second. */
const letRead = () => setTimeout(3000);

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
  await rotateSecret(dataDir, letRead);
  await audit.record({ kind: 'secret.rotated', detail: { ...by }, now: clock.now() });
  context.show(
    { isWritten: true, dataDir },
    `The new secret is in ${dataDir}/secret, the previous one in secret.previous.`,
  );
  context.say(
    'A running service uses it within a second. No user is signed out; you may delete secret.previous after REFRESH_TOKEN_IDLE has passed.',
  );
  return 0;
};
