// The command `apps add`: adds an app to the file of apps. A secret alone goes to stdout, so that it can be piped.
import { dirname, relative, resolve } from 'node:path';
import type { RawApp } from '../../apps/clients/parse-apps.ts';
import { hashSecret } from '../../apps/clients/secret-hash.ts';
import { CommandError } from '../command-error.ts';
import type { Command, CommandInput } from '../declarations.ts';
import { appsFileSetting } from '../load-config.ts';
import { changeAppsFile, locateAppsFile } from './apps-file.ts';
import { newSecret, showChange } from './new-secret.ts';

export const appsAdd: Command<'apps add'> = async (context, input) => {
  if (input.firstParty === input.thirdParty)
    throw new CommandError(
      'Say whose app it is: --first-party if it is yours, or --third-party if it is not: then users are asked for consent.',
      2,
    );
  const path = locateAppsFile(input.file);
  const secret = input.confidential ? newSecret() : undefined;
  const app = describeApp(input, path, secret);
  await changeAppsFile(path, (apps) => {
    if (apps.some(({ id }) => id === input.id))
      throw new CommandError(`There is an app ${input.id} already. Choose another id, or change ${path}.`);
    return [...apps, app];
  });
  showChange(context, { id: input.id, secret, file: path, done: `${input.name} was added.` });
  if (appsFileSetting() === undefined) context.say(`APPS_FILE is not set here: the service needs APPS_FILE=${path}`);
  return 0;
};

function describeApp(input: CommandInput<'apps add'>, path: string, secret: string | undefined): RawApp {
  const { id, name, redirectUri, logoutUri, firstParty, scopes, logo } = input;
  return {
    id,
    name,
    redirectUris: redirectUri,
    ...(logoutUri.length > 0 && { logoutUris: logoutUri }),
    ...(secret !== undefined && { secretHash: hashSecret(secret) }),
    ...(scopes !== undefined && { scopes: scopes.split(/[\s,]+/).filter((word) => word !== '') }),
    firstParty,
    ...(logo !== undefined && { logo: placeLogo(logo, path) }),
  };
}

/** On the command line, a path is relative to the current folder; in the file, to the file. */
function placeLogo(logo: string, path: string): string {
  return /^[a-z]+:/i.test(logo) ? logo : relative(dirname(path), resolve(logo));
}
