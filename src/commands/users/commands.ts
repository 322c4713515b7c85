// Declares the commands that find and manage users.
import {
  argument,
  type CommandDeclarations,
  flag,
  json,
  limit,
  reason,
  requiredText,
  reveal,
  since,
  text,
  yes,
} from '../declare.ts';

const who = argument('id, full phone number or e-mail address');
const language = requiredText('code', 'language of the notices to the user, such as de', 'en');

export const userCommands = {
  'users find': {
    description: 'find users; exits with 1 when there is none',
    arguments: { who: argument('id, phone number, the end of a phone number, or e-mail address') },
    options: { limit: limit(20), reveal, reason, json },
    touches: 'data',
    example: 'users find 0123',
  },
  'users show': {
    description: 'show a user: sessions, files and recent events',
    arguments: { who },
    options: { since: since('30d'), limit: limit(50), reveal, reason, json },
    touches: 'data',
    example: 'users show ann@example.com',
  },
  'users block': {
    description: 'end all sessions of a user and refuse to sign the user in',
    arguments: { who },
    options: { reason, json },
    touches: 'data',
    example: 'users block +12025550123 --reason "fraud, ticket 12"',
  },
  'users unblock': {
    description: 'let a blocked user sign in again',
    arguments: { who },
    options: { reason, json },
    touches: 'data',
    example: 'users unblock ann@example.com --reason "cleared"',
  },
  'users sign-out': {
    description: 'end all sessions of a user, who may sign in again',
    arguments: { who },
    options: { reason, json },
    touches: 'data',
    example: 'users sign-out +12025550123 --reason "phone lost"',
  },
  'users change-phone': {
    description:
      'schedule a new phone number for a user who lost the old one, or cancel the change; the user gets a notice and can cancel it too',
    arguments: { who },
    options: {
      to: text('number', 'the new phone number, with its plus sign'),
      cancel: flag('cancel the scheduled change'),
      language,
      reason,
      json,
    },
    touches: 'data',
    example: 'users change-phone ann@example.com --to +12025550199 --reason "ticket 4712, phone lost"',
  },
  'users remove-email': {
    description: 'remove the e-mail address of a user; the address gets a notice',
    arguments: { who },
    options: { language, reason, json },
    touches: 'data',
    example: 'users remove-email +12025550123 --reason "ticket 4714, not their address"',
  },
  'users delete': {
    description: 'delete a user and all data of the user',
    arguments: { who },
    options: { reason, yes, json },
    touches: 'data',
    example: 'users delete ann@example.com --reason "requested by the user"',
  },
  'users export': {
    description: 'print all stored data of a user as JSON',
    arguments: { who },
    options: { files: text('folder', 'also write the files into this folder'), reason, json },
    touches: 'data',
    example: 'users export ann@example.com --reason "requested by the user" --files ./ann',
  },
} satisfies CommandDeclarations;
