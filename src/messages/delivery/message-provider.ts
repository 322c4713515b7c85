// An SMS or mail provider: its URL, its sender, its check for the doctor command, and its name in metrics.
import type { Provider } from '../../kernel/net/provider.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { Channel } from '../channel.ts';
import type { ProviderCheck } from './provider-check.ts';
import type { OutgoingMessage, Sender } from './sender.ts';

export type AnnounceMessage = (message: OutgoingMessage, channel: Channel) => void;

export type InboxParts = {
  /** Prints a notice on the terminal that a message is in the inbox. */
  readonly announce: AnnounceMessage;
};

type SmsParts = InboxParts & { readonly webhookSecret: string | undefined };

type MailParts = InboxParts & {
  /** MAIL_FROM. */
  readonly from: string;
  /** Host name that this service uses towards other mail servers. */
  readonly ownHost: string;
};

type MessageProvider<Parts> = Provider & {
  /** The name in senders, metrics and the message log. Several URL schemes may share it. */
  readonly name: string;
  /** Imports its libraries here, so that an unused provider does not load them. */
  createSender(url: ProviderUrl, parts: Parts): Promise<Sender>;
  /** Undefined if there is no server to check. */
  readonly createCheck: ((url: ProviderUrl, ownHost: string) => Promise<ProviderCheck>) | undefined;
};

export type SmsProvider = MessageProvider<SmsParts>;
export type MailProvider = MessageProvider<MailParts>;
