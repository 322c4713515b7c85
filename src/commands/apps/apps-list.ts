// The command `apps list`: lists the apps of the file, in its order.
import type { Command } from '../declarations.ts';
import { writeTable } from '../write-text.ts';
import { locateAppsFile, requireApps } from './apps-file.ts';

export const appsList: Command<'apps list'> = async (context, { file }) => {
  const apps = requireApps(locateAppsFile(file));
  const rows = apps.map((app) => [
    app.name,
    app.id,
    app.secretHash === undefined ? 'public' : 'confidential',
    app.isFirstParty ? 'yours' : 'third party',
    app.scopes.join(','),
    app.redirectUris.join(' '),
  ]);
  const data = apps.map(({ id, name, redirectUris, logoutUris, secretHash, scopes, isFirstParty }) => ({
    id,
    name,
    isConfidential: secretHash !== undefined,
    isFirstParty,
    scopes,
    redirectUris,
    logoutUris,
  }));
  const head = ['name', 'id', 'kind', 'party', 'scopes', 'redirect URIs'];
  context.show({ apps: data }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No apps yet. To add one: gatehouse apps add --help');
  return 0;
};
