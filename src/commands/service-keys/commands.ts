// Declares the commands for service keys, with which the server of an app calls /api/service.
import { backendScopes } from '../../backend/service-key.ts';
import { argument, type CommandDeclarations, json, limit, reason, text } from '../declare.ts';

const until = text('end', 'when the key ends: 90d, 12h, or a date such as 2027-01-31; at most a year ahead (required)');
const id = argument('id of the key, from service-keys list; it is also the second part of the key');

export const serviceKeyCommands = {
  'service-keys create': {
    description: 'create a key for the back end of an app and print it, once: only a hash is stored',
    options: {
      name: text('name', 'what uses the key, for the list and the audit log (required)'),
      scope: text('scopes', `what the key may do, separated by commas (required): ${backendScopes.join(', ')}`),
      until,
      reason,
      json,
    },
    touches: 'data',
    example: 'service-keys create --name "shop server" --scope users:read,events:read --until 90d > key',
  },
  'service-keys list': {
    description: 'list the keys with their scopes, end, last use and state',
    options: { limit: limit(100), json },
    touches: 'data',
    example: 'service-keys list',
  },
  'service-keys rotate': {
    description: 'create a second key with the same name and scopes; the first one works until it ends or is revoked',
    arguments: { id },
    options: { until, reason, json },
    touches: 'data',
    example: 'service-keys rotate 3fa94c1be07d --until 90d > key',
  },
  'service-keys revoke': {
    description: 'revoke a key: within a second every node refuses it',
    arguments: { id },
    options: { reason, json },
    touches: 'data',
    example: 'service-keys revoke 3fa94c1be07d --reason "found in a repository"',
  },
} satisfies CommandDeclarations;
