// Composition: creates the senders that SMS_URL and MAIL_URL name. Drivers are loaded only when they are used.
import { findMailProvider, findSmsProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';
import { type ProviderUrl, parseRate } from '../kernel/net/provider-url.ts';
import type { Channel } from '../messages/channel.ts';
import type { AnnounceMessage } from '../messages/delivery/message-provider.ts';
import type { Sender } from '../messages/delivery/sender.ts';

export async function chooseSenders(
  { mode, sms, mail, publicUrl }: Config,
  announce: AnnounceMessage,
): Promise<Record<Channel, Sender[]>> {
  const inboxParts = { announce: mode === 'local' ? announce : () => undefined };
  const smsParts = { ...inboxParts, webhookSecret: sms.webhookSecret };
  const mailParts = { ...inboxParts, from: mail.from ?? '', ownHost: new URL(publicUrl).hostname };
  const names = nameSenders({ sms, mail });
  return {
    sms: await Promise.all(
      sms.providers.map(async (url, index) => ({
        ...(await findSmsProvider(url.scheme).createSender(url, smsParts)),
        ...rateOf(url),
        name: names.sms[index] ?? '',
      })),
    ),
    mail: [
      {
        ...(await findMailProvider(mail.provider.scheme).createSender(mail.provider, mailParts)),
        ...rateOf(mail.provider),
      },
    ],
  };
}

/** The second of two providers of one kind is `webhook-2`: each has its own series in the metrics. */
export function nameSenders({ sms, mail }: Pick<Config, 'sms' | 'mail'>): Record<Channel, string[]> {
  const kinds = sms.providers.map(({ scheme }) => findSmsProvider(scheme).name);
  const nameAt = (kind: string, index: number) => {
    const before = kinds.slice(0, index).filter((other) => other === kind).length;
    return before === 0 ? kind : `${kind}-${before + 1}`;
  };
  return { sms: kinds.map(nameAt), mail: [findMailProvider(mail.provider.scheme).name] };
}

function rateOf({ query }: ProviderUrl): Pick<Sender, 'rate'> {
  const rate = query.rate === undefined ? undefined : parseRate(query.rate);
  return rate === undefined ? {} : { rate };
}
