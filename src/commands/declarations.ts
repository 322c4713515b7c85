// Every command of the program: its declaration by the words of the command line, and the type of its implementation.
import { adminCommands } from './admin/commands.ts';
import { appCommands } from './apps/commands.ts';
import { auditCommands } from './audit/commands.ts';
import { backupCommands } from './backup/commands.ts';
import { brandCommands } from './brand/commands.ts';
import { configCommands } from './config/commands.ts';
import { databaseCommands } from './database/commands.ts';
import type { InputOf } from './declare.ts';
import { developerCommands } from './developer/commands.ts';
import { doctorCommands } from './doctor/commands.ts';
import { fileCommands } from './files/commands.ts';
import { importCommands } from './import/commands.ts';
import { keyCommands } from './keys/commands.ts';
import { limitCommands } from './limits/commands.ts';
import { messageCommands } from './messages/commands.ts';
import { migrateCommands } from './migrate/commands.ts';
import type { OperatorContext } from './operator-context.ts';
import { serveCommands } from './serve/commands.ts';
import { serviceKeyCommands } from './service-keys/commands.ts';
import { userCommands } from './users/commands.ts';
import { webhookCommands } from './webhooks/commands.ts';

/** In the order of the help text. */
export const declarations = {
  ...serveCommands,
  ...doctorCommands,
  ...migrateCommands,
  ...databaseCommands,
  ...backupCommands,
  ...userCommands,
  ...importCommands,
  ...messageCommands,
  ...webhookCommands,
  ...limitCommands,
  ...auditCommands,
  ...adminCommands,
  ...fileCommands,
  ...appCommands,
  ...brandCommands,
  ...serviceKeyCommands,
  ...keyCommands,
  ...configCommands,
  ...developerCommands,
};

export type CommandName = keyof typeof declarations;

export type CommandInput<Name extends CommandName> = InputOf<(typeof declarations)[Name]>;

/** The implementation of a command. It returns the exit code, or throws a CommandError. */
export type Command<Name extends CommandName> = (context: OperatorContext, input: CommandInput<Name>) => Promise<0 | 1>;

type GroupName<Name = CommandName> = Name extends `${infer Group} ${string}` ? Group : never;

export const groupDescriptions: Readonly<Record<GroupName, string>> = {
  migrate: 'show or apply database migrations (serve applies them automatically)',
  database: 'declare which PostgreSQL is the right one',
  backup: 'create and verify backups while the service runs',
  users: 'find and manage users',
  import: 'import the users of another service',
  export: 'export all users',
  messages: 'list sent messages and send them again',
  webhooks: 'list, replay and test webhook events',
  limits: 'show and clear rate limits',
  audit: 'read the audit log',
  admin: 'manage staff access to the admin page',
  files: 'list, check, move and delete stored files',
  storage: 'manage which storage belongs to the database',
  apps: 'add, list and check the apps that sign users in by OpenID Connect',
  brand: 'check the file with the name, logo, colours, links and texts of your product',
  'service-keys': 'create, list, rotate and revoke the keys that back ends of apps use for /api/service',
  keys: 'list, rotate and revoke the keys that sign access tokens',
  secret: 'generate or rotate the secret that all keys are derived from',
  config: 'show the settings in force and the settings there are',
  sample: 'print samples to try the service with',
};
