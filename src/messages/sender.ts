// The interface of a message sender, and the possible outcomes of an attempt to send.
import type { Channel } from './outbox.ts';

/** Messages of a channel that are being sent at the same time. It is more than one caller may cause in an hour. */
export const mostSendsAtOnce = 32;

export type OutgoingMessage = {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly subject?: string;
  readonly html?: string;
  readonly createdAt: number;
};

/**
 * refused: certainly not sent; another attempt or provider is safe. doubtful: unknown; the user may have received it.
 * hopeless: this provider will never accept this recipient or message.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'doubtful' | 'hopeless'; readonly error: string };

export type UnsentOutcome = Exclude<SendOutcome, { readonly kind: 'accepted' }>;

export type Sender = {
  /** The name of the provider in the log, the metrics and `messages log`. */
  readonly name: string;
  readonly channel: Channel;
  /** Never throws. `error` contains no secret, phone number or e-mail address. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  /**
   * Only of the inbox, which is part of the store: `send` has nothing to do, because the commit that removes the message from the
   * outbox keeps it in the inbox. Called after that commit.
   */
  announce?(message: OutgoingMessage): void;
  close?(): Promise<void>;
};
