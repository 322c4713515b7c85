// Binding an e-mail address to a user: consuming the code and taking the address are one commit.
import type { MessageDraft } from '../messages/outbox.ts';
import type { CodeAttempt, UnprovedAttempt } from './challenge.ts';

export type BindingOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | UnprovedAttempt;

export type EmailBinding = {
  readonly attempt: CodeAttempt;
  readonly userId: string;
  readonly address: string;
  readonly emailKey: string;
  /** Sent to the address that is replaced; the store fills in its recipient. */
  readonly notice: MessageDraft;
  readonly now: number;
};

export type BindingStore = {
  /** Of any number of users racing for one address exactly one gets it. */
  bindEmail(binding: EmailBinding): Promise<BindingOutcome>;
  /** Who owns an address; asked by the delivery worker and after a proof, never by a request for a message. */
  findOwner(emailKey: string): Promise<string | undefined>;
};
