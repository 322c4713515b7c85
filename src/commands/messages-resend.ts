// The command `messages resend`: gives a message that was parked all its tries again, with the same code or link.
import { resendMessage } from '../messages/resend-message.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';

const refusals = {
  expired:
    'What this message carries has expired: the person has to ask for a new one. limits clear lets them at once.',
  sending: 'A node is sending it just now. Look again with messages log.',
  gone: 'It is not in the outbox: a provider has taken it (see messages log), or it never was. The person may ask again.',
} as const;

export const messagesResend: Verb = async (context, [id = '']) => {
  const by = context.act();
  const outcome = await resendMessage(await context.open(), { id, by });
  if (outcome !== 'queued') throw new CommandError(refusals[outcome]);
  context.show({ id, state: outcome }, `${id} is queued again; the service sends it within a second.`);
  return 0;
};
