// Composition: creates the senders that SMS_URL and MAIL_URL name. Drivers are loaded only when they are used.
import { findMailProvider, findSmsProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';
import type { AnnounceMessage } from '../messages/message-provider.ts';
import type { Channel } from '../messages/outbox.ts';
import type { Sender } from '../messages/sender.ts';

export async function chooseSenders(
  { mode, sms, mail, publicUrl }: Config,
  announce: AnnounceMessage,
): Promise<Record<Channel, Sender[]>> {
  const inboxParts = { announce: mode === 'local' ? announce : () => undefined };
  const smsParts = { ...inboxParts, webhookSecret: sms.webhookSecret };
  const mailParts = { ...inboxParts, from: mail.from ?? '', ownHost: new URL(publicUrl).hostname };
  return {
    sms: await Promise.all(sms.providers.map((url) => findSmsProvider(url.scheme).createSender(url, smsParts))),
    mail: [await findMailProvider(mail.provider.scheme).createSender(mail.provider, mailParts)],
  };
}
