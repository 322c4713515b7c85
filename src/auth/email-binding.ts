// Binding an e-mail address to a user: one commit consumes the code and assigns the address.
import type { MessageOf } from '../messages/message-kinds.ts';
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
  /** Sent to the replaced address. The store fills in the recipient. */
  readonly notice: MessageOf<'email-replaced'>;
  readonly now: number;
};

export type BindingStore = {
  /** Atomic: if several users race for one address, exactly one gets it. */
  bindEmail(binding: EmailBinding): Promise<BindingOutcome>;
  /** The user id of the owner. Only for the delivery worker and for binding, never for a request that sends a message. */
  findOwner(emailKey: string): Promise<string | undefined>;
};
