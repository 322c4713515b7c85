// Declares the commands that list, replay and test webhook events.
import { argumentList, type CommandDeclarations, json, limit, optionalSince, reason, since, yes } from '../declare.ts';

export const webhookCommands = {
  'webhooks list': {
    description: 'list events that were delivered, are queued or are parked',
    options: { since: since('7d'), limit: limit(50), json },
    touches: 'data',
    example: 'webhooks list --since 24h',
  },
  'webhooks replay': {
    description: 'send events again: some by id, or all since a time',
    arguments: { ids: argumentList('ids of the events, from webhooks list') },
    options: { since: optionalSince, reason, yes, json },
    touches: 'data',
    example: 'webhooks replay --since 24h --reason "receiver lost its data"',
  },
  'webhooks test': {
    description:
      'send one signed test event to every endpoint and show the answers; exits with 1 when one does not accept it',
    options: { json },
    touches: 'data',
    example: 'webhooks test',
  },
} satisfies CommandDeclarations;
