// Declares the command that reads the audit log.
import { type CommandDeclarations, flag, json, limit, reason, reveal, since, text } from '../declare.ts';

export const auditCommands = {
  'audit tail': {
    description: 'print the latest events, oldest first; with --json one object per line',
    options: {
      follow: flag('keep printing new events until Ctrl+C'),
      limit: limit(50),
      since: since('90d'),
      user: text('id', 'only events of the user with this id'),
      kind: text('kind', 'only events of this kind, such as login.refused'),
      reveal,
      reason,
      json,
    },
    touches: 'data',
    example: 'audit tail --follow --kind login.refused',
  },
} satisfies CommandDeclarations;
