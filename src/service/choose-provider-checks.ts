// Composition: creates the checks that ask the providers of SMS_URL and MAIL_URL whether they work, without sending a message.
import { findMailProvider, findSmsProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';
import { isElsewhere } from '../kernel/net/loopback.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { Channel, PerChannel } from '../messages/channel.ts';
import type { MailProvider, SmsProvider } from '../messages/delivery/message-provider.ts';
import type { ProviderCheck } from '../messages/delivery/provider-check.ts';

/** Empty if messages of the channel stay in the inbox. */
export async function chooseProviderChecks(channel: Channel, config: Config): Promise<ProviderCheck[]> {
  const checks = providersOf[channel](config).map(([provider, url]) => createCheck(provider, url, config.publicUrl));
  return (await Promise.all(checks)).filter((check) => check !== undefined);
}

const providersOf: PerChannel<(config: Config) => [SmsProvider | MailProvider, ProviderUrl][]> = {
  sms: ({ sms }) => sms.providers.map((url) => [findSmsProvider(url.scheme), url]),
  mail: ({ mail: { provider } }) => [[findMailProvider(provider.scheme), provider]],
};

async function createCheck(
  provider: SmsProvider | MailProvider,
  url: ProviderUrl,
  publicUrl: string,
): Promise<ProviderCheck | undefined> {
  const check = await provider.createCheck?.(url, new URL(publicUrl).hostname);
  return check && { ...check, isPlain: isElsewhere(provider.plainHost(url) ?? '') };
}
