// Composition: the senders that SMS_URL and MAIL_URL name; drivers are loaded only when they are used.
import { createInboxSender } from '../adapters/inbox/inbox-sender.ts';
import type { Config } from '../config/config.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { Channel } from '../messages/outbox.ts';
import type { OutgoingMessage, Sender } from '../messages/sender.ts';

/** Tells the person at the terminal that a message ended in the inbox. */
export type Announce = (message: OutgoingMessage, channel: Channel) => void;

export async function chooseSenders(
  config: Config,
  inbox: InboxStore,
  announce: Announce,
): Promise<Record<Channel, Sender[]>> {
  const local = config.mode === 'local' ? announce : () => undefined;
  const sms = config.sms.providers.map((url) =>
    chooseSmsSender(url, config.sms.webhookSecret, () => createInboxSender('sms', inbox, local)),
  );
  return {
    sms: await Promise.all(sms),
    mail: [await chooseMailSender(config, () => createInboxSender('mail', inbox, local))],
  };
}

async function chooseSmsSender(
  url: ProviderUrl,
  webhookSecret: string | undefined,
  inboxSender: () => Sender,
): Promise<Sender> {
  switch (url.scheme) {
    case 'twilio':
      return (await import('../adapters/sms/twilio.ts')).createTwilioSender(url);
    case 'vonage':
      return (await import('../adapters/sms/vonage.ts')).createVonageSender(url);
    case 'inbox':
      return inboxSender();
    case 'webhook+https':
    case 'webhook+http':
      return (await import('../adapters/sms/webhook.ts')).createWebhookSender(url, webhookSecret);
    default:
      throw new Error(`no sender for ${url.scheme}:`);
  }
}

async function chooseMailSender({ mail, publicUrl }: Config, inboxSender: () => Sender): Promise<Sender> {
  if (mail.isInbox) return inboxSender();
  const { createSmtpSender } = await import('../adapters/mail/smtp.ts');
  return createSmtpSender(mail.provider, mail.from ?? '', new URL(publicUrl).hostname);
}
