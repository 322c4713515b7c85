// Finds unencrypted connections to other machines. Every start and the doctor command warn about each one.
import {
  findCaptchaProvider,
  findMailProvider,
  findScanProvider,
  findSmsProvider,
  findStorageProvider,
} from '../adapters/providers.ts';
import { serverOf, splitDatabaseUrl } from '../kernel/net/database-url.ts';
import { isElsewhere } from '../kernel/net/loopback.ts';
import type { PerChannel } from '../messages/channel.ts';
import type { ProviderConfig } from './read-providers.ts';
import type { SecretConfig } from './read-secrets.ts';
import type { WebhookConfig } from './read-webhooks.ts';

type Connections = Pick<ProviderConfig, 'sms' | 'mail' | 'captcha' | 'scan'> &
  Pick<SecretConfig, 'databaseUrl' | 'storage' | 'backupBucket'> &
  WebhookConfig;

type Connection = readonly [setting: string, what: string, hosts: readonly (string | undefined)[]];

export function warnOfPlainText(connections: Connections, isProduction: boolean): string[] {
  const { sms, mail, captcha, webhooks, storage, backupBucket, databaseUrl, scan } = connections;
  const eventHosts = webhooks.endpoints.map(({ url }) => new URL(url)).filter(({ protocol }) => protocol === 'http:');
  const ofChannels: PerChannel<Connection> = {
    sms: ['SMS_URL', 'codes', sms.providers.map((url) => findSmsProvider(url.scheme).plainHost(url))],
    mail: [
      'MAIL_URL',
      'the password, codes and links',
      [findMailProvider(mail.provider.scheme).plainHost(mail.provider)],
    ],
  };
  const plain: readonly Connection[] = [
    ...Object.values(ofChannels),
    ['CAPTCHA_URL', 'its secret', [findCaptchaProvider(captcha.scheme).plainHost(captcha)]],
    ['WEBHOOK_URL', 'events', eventHosts.map(({ host }) => host)],
    ...(isProduction
      ? ([
          ['STORAGE_URL', 'files', [storage && findStorageProvider(storage.scheme).plainHost(storage)]],
          [
            'BACKUP_URL',
            'its keys',
            [backupBucket && findStorageProvider(backupBucket.scheme).plainHost(backupBucket)],
          ],
          ['SCAN_URL', 'files', [scan.provider && findScanProvider(scan.provider.scheme).plainHost(scan.provider)]],
          ['DATABASE_URL', 'everything', plainDatabases(databaseUrl)],
        ] as const)
      : []),
  ];
  return plain.flatMap(([setting, what, hosts]) =>
    hosts
      .filter((host) => host !== undefined)
      .filter(isElsewhere)
      .map((host) => `${setting} sends ${what} to ${host} in plain text: anyone on the network path can read it.`),
  );
}

function plainDatabases(databaseUrl: string | undefined): string[] {
  return (splitDatabaseUrl(databaseUrl ?? '') ?? [])
    .filter((url) => {
      const { searchParams } = new URL(url);
      return ['disable', 'prefer', 'allow', ''].includes(searchParams.get('sslmode') ?? '') && !searchParams.has('ssl');
    })
    .map(serverOf)
    .filter(({ host }) => !host.startsWith('/'))
    .map(({ host, port }) => (port === undefined ? host : `${host}:${port}`));
}
