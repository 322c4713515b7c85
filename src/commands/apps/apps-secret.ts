// The command `apps secret`: gives an app a new secret. The secret alone goes to stdout, so that it can be piped.
import { hashSecret } from '../../apps/clients/secret-hash.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { changeAppsFile, locateAppsFile, requireApps } from './apps-file.ts';
import { newSecret, showChange } from './new-secret.ts';

export const appsSecret: Command<'apps secret'> = async (context, { id, file }) => {
  const path = locateAppsFile(file);
  // An unknown app is reported before the folder must be writable.
  if (!requireApps(path).some((app) => app.id === id)) noSuchApp(id);
  const secret = newSecret();
  await changeAppsFile(path, (apps) => {
    if (!apps.some((app) => app.id === id)) noSuchApp(id);
    return apps.map((app) => (app.id === id ? { ...app, secretHash: hashSecret(secret) } : app));
  });
  showChange(context, { id, secret, file: path, done: `${id} has a new secret. The old one works until then.` });
  return 0;
};

function noSuchApp(id: string): never {
  throw new CommandError(`There is no app ${id}. To list the apps: gatehouse apps list`);
}
