// Declares the commands that list messages and send them again.
import { argument, type CommandDeclarations, json, limit, reason, reveal, since, text } from '../declare.ts';

export const messageCommands = {
  'messages log': {
    description: 'list messages that were sent, are queued or are parked',
    options: {
      to: text('recipient', 'only messages to this phone number or e-mail address'),
      since: since('7d'),
      limit: limit(50),
      reveal,
      reason,
      json,
    },
    touches: 'data',
    example: 'messages log --to +12025550123 --since 24h',
  },
  'messages resend': {
    description: 'send a parked message again, with the same code or link',
    arguments: { id: argument('id of the message, from messages log') },
    options: { reason, json },
    touches: 'data',
    example: 'messages resend 0199… --reason "provider was down"',
  },
} satisfies CommandDeclarations;
