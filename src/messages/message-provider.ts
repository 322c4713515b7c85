// A provider of SMS or mail: the URL that names it, its sender, the question that the doctor puts to it, and its name in the metrics.
import type { Provider } from '../kernel/provider.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { InboxStore } from './inbox.ts';
import type { Channel } from './outbox.ts';
import type { ProviderCheck } from './provider-check.ts';
import type { OutgoingMessage, Sender } from './sender.ts';

export type AnnounceMessage = (message: OutgoingMessage, channel: Channel) => void;

export type InboxParts = {
  readonly inbox: Pick<InboxStore, 'keep'>;
  /** Tells whoever sits at the terminal that a message is in the inbox. */
  readonly announce: AnnounceMessage;
};

export type SmsParts = InboxParts & { readonly webhookSecret: string | undefined };

export type MailParts = InboxParts & {
  /** MAIL_FROM. */
  readonly from: string;
  /** How this service names itself to other mail servers. */
  readonly ownHost: string;
};

type MessageProvider<Parts> = Provider & {
  /** What senders, metrics and the message log call it; several schemes may share it. */
  readonly name: string;
  /** Libraries are loaded here, not with the provider. */
  createSender(url: ProviderUrl, parts: Parts): Promise<Sender>;
  /** Undefined where there is nobody to ask. */
  readonly createCheck: ((url: ProviderUrl, ownHost: string) => Promise<ProviderCheck>) | undefined;
};

export type SmsProvider = MessageProvider<SmsParts>;
export type MailProvider = MessageProvider<MailParts>;
