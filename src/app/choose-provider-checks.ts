// Composition: creates the checks that ask the providers of SMS_URL and MAIL_URL whether they work, without sending a message.
import { findMailProvider, findSmsProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';
import { isElsewhere } from '../kernel/net/loopback.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { MailProvider, SmsProvider } from '../messages/delivery/message-provider.ts';
import type { ProviderCheck } from '../messages/delivery/provider-check.ts';

/** Undefined if messages stay in the inbox. */
export function chooseMailCheck({ mail: { provider }, publicUrl }: Config): Promise<ProviderCheck | undefined> {
  return createCheck(findMailProvider(provider.scheme), provider, publicUrl);
}

export async function chooseSmsChecks({ sms, publicUrl }: Config): Promise<ProviderCheck[]> {
  const checks = sms.providers.map((url) => createCheck(findSmsProvider(url.scheme), url, publicUrl));
  return (await Promise.all(checks)).filter((check) => check !== undefined);
}

async function createCheck(
  provider: SmsProvider | MailProvider,
  url: ProviderUrl,
  publicUrl: string,
): Promise<ProviderCheck | undefined> {
  const check = await provider.createCheck?.(url, new URL(publicUrl).hostname);
  return check && { ...check, isPlain: isElsewhere(provider.plainHost(url) ?? '') };
}
