// Declares the commands for signing keys and for the secret that they are derived from.
import { argument, type CommandDeclarations, flag, json, reason, yes } from '../declare.ts';

export const keyCommands = {
  'keys list': {
    description: 'list all signing keys and what each is used for',
    options: { json },
    touches: 'data',
    example: 'keys list',
  },
  'keys rotate': {
    description: 'create the next signing key ahead of schedule',
    options: { now: flag('sign with the new key at once, instead of publishing it for a day first'), reason, json },
    touches: 'data',
    example: 'keys rotate --reason "yearly practice"',
  },
  'keys revoke': {
    description: 'revoke a stolen signing key: every access token that it signed is refused',
    arguments: { id: argument('id of the key, from keys list; an old one that begins with - comes last, after --') },
    options: { reason, yes, json },
    touches: 'data',
    example: 'keys revoke 5V4s… --reason "found in a log"',
  },
  'secret generate': {
    description: 'print a new secret for SECRET',
    options: { json },
    touches: 'nothing',
    example: 'secret generate',
  },
  'secret rotate': {
    description: 'replace the secret without signing users out',
    options: { reason, yes, json },
    touches: 'data',
    example: 'secret rotate --reason "someone left"',
  },
} satisfies CommandDeclarations;
