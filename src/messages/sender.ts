// What a provider of messages must be able to do, and the three ways in which a try can end.
import type { Channel } from './outbox.ts';

export type OutgoingMessage = {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly subject?: string;
  readonly html?: string;
  readonly createdAt: number;
};

/**
 * refused: surely not sent, another try or provider is safe. doubtful: nobody knows, the person may have it.
 * hopeless: this recipient or message will never be taken by this provider.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'doubtful' | 'hopeless'; readonly error: string };

export type ProviderName = 'inbox' | 'webhook' | 'twilio' | 'vonage' | 'smtp';

export type Sender = {
  readonly name: ProviderName;
  readonly channel: Channel;
  /** Never throws; `error` holds no secret, number or address. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  close?(): Promise<void>;
};
