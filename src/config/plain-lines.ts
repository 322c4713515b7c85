// Lines to other machines that anybody on the way could read along: each is warned of, at every start and by the doctor.
import { splitDatabaseUrl } from '../kernel/database-url.ts';
import { isElsewhere } from '../kernel/loopback.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { ProviderConfig } from './read-providers.ts';
import type { SecretConfig } from './read-secrets.ts';
import type { WebhookConfig } from './read-webhooks.ts';

type Lines = Pick<ProviderConfig, 'sms' | 'mail' | 'captcha'> &
  Pick<SecretConfig, 'databaseUrl' | 'storage'> &
  WebhookConfig;

export function warnOfPlainLines(lines: Lines, isProduction: boolean): string[] {
  const { sms, mail, captcha, webhooks, storage, databaseUrl } = lines;
  const eventHosts = webhooks.endpoints.map(({ url }) => new URL(url)).filter(({ protocol }) => protocol === 'http:');
  const plain: readonly (readonly [setting: string, what: string, hosts: readonly string[]])[] = [
    ['SMS_URL', 'codes', sms.providers.filter(isPlainElsewhere).map(hostOf)],
    ['MAIL_URL', 'the password, codes and links', [mail.provider].filter(isPlainElsewhere).map(hostOf)],
    ['CAPTCHA_URL', 'its secret', [hostIfPlain(captcha.query.verify)]],
    ['WEBHOOK_URL', 'events', eventHosts.map(({ host }) => host)],
    ...(isProduction
      ? ([
          ['STORAGE_URL', 'files', storage?.query.tls === '0' ? [storage.host] : []],
          ['DATABASE_URL', 'everything', plainDatabases(databaseUrl)],
        ] as const)
      : []),
  ];
  return plain.flatMap(([setting, what, hosts]) =>
    hosts
      .filter(isElsewhere)
      .map((host) => `${setting} sends ${what} to ${host} in plain text: whoever is on the way can read along.`),
  );
}

/** Whether this provider is another machine and is spoken to without TLS. */
export function isPlainElsewhere({ scheme, host, query }: ProviderUrl): boolean {
  const isTwilioLike = scheme === 'twilio' || scheme === 'vonage';
  const isPlain =
    scheme === 'webhook+http' || (scheme === 'smtp' && query.tls === 'off') || (isTwilioLike && query.tls === '0');
  return isPlain && (isElsewhere(host) || (isTwilioLike && host === ''));
}

function hostOf({ host, scheme }: ProviderUrl): string {
  return host === '' ? scheme : host;
}

function hostIfPlain(address: string | undefined): string {
  const { protocol, host } = new URL(address ?? 'https://none');
  return protocol === 'http:' ? host : '';
}

function plainDatabases(databaseUrl: string | undefined): string[] {
  return (splitDatabaseUrl(databaseUrl ?? '') ?? [])
    .map((text) => new URL(text))
    .filter(({ searchParams }) => ['disable', 'prefer', 'allow', ''].includes(searchParams.get('sslmode') ?? ''))
    .filter(({ searchParams }) => !searchParams.has('ssl') && !(searchParams.get('host') ?? '').startsWith('/'))
    .map(({ host }) => host);
}
