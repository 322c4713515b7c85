// Declares the commands that show and clear rate limits.
import { argument, type CommandDeclarations, json, reason } from '../declare.ts';

const whom = argument('phone number, e-mail address or IP address');

export const limitCommands = {
  'limits show': {
    description: 'show the rate limits of a recipient or a caller, and for how long they block',
    arguments: { whom },
    options: { json },
    touches: 'data',
    example: 'limits show +12025550123',
  },
  'limits clear': {
    description: 'clear the rate limits of a recipient or a caller',
    arguments: { whom },
    options: { reason, json },
    touches: 'data',
    example: 'limits clear 203.0.113.7 --reason "school network"',
  },
} satisfies CommandDeclarations;
