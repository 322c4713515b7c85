// The interface of a message sender, and the possible outcomes of an attempt to send.
import type { Channel } from '../channel.ts';

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
  | {
      readonly kind: 'refused';
      readonly error: string;
      /** The provider asked to be left alone for this long (429, 503 with Retry-After). It is no failure. */
      readonly waitMilliseconds?: number;
      /** The provider works, and does not take this recipient for now. Without it, the refusal may be about the whole provider. */
      readonly isOfRecipient?: true;
    }
  | { readonly kind: 'doubtful' | 'hopeless'; readonly error: string };

export type UnsentOutcome = Exclude<SendOutcome, { readonly kind: 'accepted' }>;

/** The provider answered about this recipient or message, not about itself. */
export function isAboutRecipient(outcome: SendOutcome): boolean {
  return outcome.kind === 'hopeless' || (outcome.kind === 'refused' && outcome.isOfRecipient === true);
}

export type Sender = {
  /** The name of the provider in the log, the metrics and `messages log`. Each sender of a channel has its own. */
  readonly name: string;
  readonly channel: Channel;
  /** How many messages it can send at the same time. Without it, the service decides. */
  readonly mostAtOnce?: number;
  /** Messages per second and process that it takes at most, as its URL announces. */
  readonly rate?: number;
  /** Never throws. `error` contains no secret, phone number or e-mail address. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  /**
   * Only of the inbox, which is part of the store: `send` has nothing to do, because the commit that removes the message from the
   * outbox keeps it in the inbox. Called after that commit.
   */
  announce?(message: OutgoingMessage): void;
  close?(): Promise<void>;
};
