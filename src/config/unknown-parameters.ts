// Finds parameters in the URLs of providers that have no effect, for example a mistyped one. Every start and the doctor command warn about each.
import { findCaptchaProvider, findMailProvider, findSmsProvider, findStorageProvider } from '../adapters/providers.ts';
import type { Provider } from '../kernel/net/provider.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { PerChannel } from '../messages/channel.ts';
import type { ProviderConfig } from './read-providers.ts';
import type { SecretConfig } from './read-secrets.ts';

type Urls = Pick<ProviderConfig, 'sms' | 'mail' | 'captcha'> & Pick<SecretConfig, 'storage' | 'backupBucket'>;

export function warnOfParameters({ sms, mail, captcha, storage, backupBucket }: Urls): string[] {
  const ofChannels: PerChannel<string[]> = {
    sms: sms.providers.flatMap((url) => judge('SMS_URL', url, findSmsProvider(url.scheme))),
    mail: judge('MAIL_URL', mail.provider, findMailProvider(mail.provider.scheme)),
  };
  return [
    ...Object.values(ofChannels).flat(),
    ...judge('CAPTCHA_URL', captcha, findCaptchaProvider(captcha.scheme)),
    ...(storage === undefined ? [] : judge('STORAGE_URL', storage, findStorageProvider(storage.scheme))),
    ...(backupBucket === undefined ? [] : judge('BACKUP_URL', backupBucket, findStorageProvider(backupBucket.scheme))),
  ];
}

function judge(setting: string, { scheme, query }: ProviderUrl, { parameters }: Provider): string[] {
  if (parameters === undefined) return [];
  const known = parameters.length === 0 ? 'It takes none' : `It takes ${parameters.join(', ')}`;
  return Object.keys(query)
    .filter((name) => !parameters.includes(name))
    .map((name) => `${setting} has ${nameSafely(name)}, which ${scheme} does not know: it has no effect. ${known}.`);
}

/** A part of a secret that was not percent-encoded may stand where a name should. */
function nameSafely(name: string): string {
  return /^[a-z_]{1,16}$/.test(name) ? `the parameter ${name}` : 'a parameter';
}
