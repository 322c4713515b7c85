// The command `messages resend`: queues a parked message again with all its attempts and the same code or link.
import { resendMessage } from '../../support/resend-message.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';

const refusals = {
  expired:
    'The code or link in this message has expired: the user has to request a new one. gatehouse limits clear allows that at once.',
  sending: 'A node is sending this message now. Check again with gatehouse messages log.',
  gone: 'This message is not in the outbox: a provider has accepted it (see gatehouse messages log), or the id is wrong. The user may request a new one.',
} as const;

export const messagesResend: Command<'messages resend'> = async (context, { id, reason }) => {
  const by = context.act(reason);
  const outcome = await resendMessage(await context.open(), { id, by });
  if (outcome !== 'queued') throw new CommandError(refusals[outcome]);
  context.show({ id, state: outcome }, `${id} is queued again; the service sends it within a second.`);
  return 0;
};
