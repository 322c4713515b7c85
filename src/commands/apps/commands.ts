// Declares the commands for apps, which sign users in by OpenID Connect.
import { appScopes } from '../../apps/clients/app.ts';
import { argument, type CommandDeclarations, flag, json, requiredText, text, textList } from '../declare.ts';

const file = text('path', 'file of apps; without it, the one of APPS_FILE');

export const appCommands = {
  'apps add': {
    description:
      'add an app to the file of apps; the file is created if it is missing. The service reads the file when it starts',
    options: {
      id: requiredText('id', 'what the app calls its client id, 1 to 64 characters of A-Z, a-z, 0-9, . _ and -'),
      name: requiredText('name', 'what users see, at most 60 characters'),
      redirectUri: textList(
        'uri',
        'where a sign-in returns to; give it again for more. https, http on 127.0.0.1, [::1] or localhost, or com.example.app:/path',
      ),
      logoutUri: textList('uri', 'where a sign-out may return to; give it again for more'),
      confidential: flag(
        'the app has a server that keeps a secret: create it and print it, once; only a hash is stored',
      ),
      firstParty: flag('the app is yours: users are not asked for consent. This or --third-party is needed'),
      thirdParty: flag('the app is not yours: users are asked for consent'),
      scopes: text(
        'scopes',
        `what the app may ask for, separated by commas: ${appScopes.join(', ')} (default: all but files)`,
      ),
      logo: text('path', 'PNG, JPEG, WebP or SVG file of at most 64 KiB, shown on the sign-in page'),
      file,
      json,
    },
    touches: 'nothing',
    example:
      'apps add --id shop --name "Shop" --redirect-uri https://shop.example.com/callback --first-party --confidential > secret',
  },
  'apps list': {
    description: 'list the apps with their kind, scopes and URLs',
    options: { file, json },
    touches: 'nothing',
    example: 'apps list',
  },
  'apps check': {
    description: 'check the file of apps and print every problem; the exit code is 1 if there is one',
    options: { file, json },
    touches: 'nothing',
    example: 'apps check --file apps.json',
  },
  'apps secret': {
    description:
      'create a new secret for an app and print it, once: only a hash is stored. The old secret works until the service restarts',
    arguments: { id: argument('id of the app, from apps list') },
    options: { file, json },
    touches: 'nothing',
    example: 'apps secret shop > secret',
  },
} satisfies CommandDeclarations;
