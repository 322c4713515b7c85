// Composition: the harmless questions that can be put to the providers that SMS_URL and MAIL_URL name.
import type { Config } from '../config/config.ts';
import { isPlainElsewhere } from '../config/plain-lines.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { ProviderCheck } from '../messages/provider-check.ts';

/** Undefined where messages stay in the inbox. */
export async function chooseMailCheck({ mail, publicUrl }: Config): Promise<ProviderCheck | undefined> {
  if (mail.isInbox) return undefined;
  const { createSmtpCheck } = await import('../adapters/mail/check-smtp.ts');
  const check = createSmtpCheck(mail.provider, new URL(publicUrl).hostname);
  return { ...check, isPlain: isPlainElsewhere(mail.provider) };
}

export async function chooseSmsChecks({ sms }: Config): Promise<ProviderCheck[]> {
  const { createTwilioCheck, createVonageCheck, createWebhookCheck } = await import('../adapters/sms/check-account.ts');
  const choose = (url: ProviderUrl) => {
    if (url.scheme === 'twilio') return createTwilioCheck(url);
    return url.scheme === 'vonage' ? createVonageCheck(url) : createWebhookCheck(url);
  };
  return sms.providers
    .filter(({ scheme }) => scheme !== 'inbox')
    .map((url) => ({ ...choose(url), isPlain: isPlainElsewhere(url) }));
}
