// Declares the commands that manage staff access to the admin page.
import { argument, type CommandDeclarations, json, limit, reason, text } from '../declare.ts';

export const adminCommands = {
  'admin token': {
    description: 'print a link that signs a member of staff in to /admin; it works once',
    options: {
      name: text('name', 'name of the member of staff, for the audit log (required)'),
      role: text('role', 'what the member of staff may do: viewer, support or owner (default: owner)'),
      life: text('time', 'how long the sign-in lasts: 30m, 8h; at most 24h (default: 8h)'),
      json,
    },
    touches: 'data',
    example: 'admin token --name "Ada" --role support --life 8h',
  },
  'admin list': {
    description: 'list the sign-ins to /admin and their state',
    options: { limit: limit(50), json },
    touches: 'data',
    example: 'admin list',
  },
  'admin revoke': {
    description: 'end a sign-in to /admin, or revoke its link, at once',
    arguments: { id: argument('id of the sign-in, from admin list') },
    options: { reason, json },
    touches: 'data',
    example: 'admin revoke 0199… --reason "left the team"',
  },
} satisfies CommandDeclarations;
