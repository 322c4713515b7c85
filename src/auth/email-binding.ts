// Binding an e-mail address to a user: one commit consumes the code and assigns the address.
import type { Act, DatedEvent } from '../kernel/audit.ts';
import { maskEmail } from '../kernel/mask.ts';
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

/** An address as it was written, and the key under which it is unique. */
export type BoundAddress = { readonly address: string; readonly key: string };

/** gone: the user was deleted meanwhile. taken: another user has the address. `replaced`: the address that the user had before. */
export type BindingVerdict =
  | { readonly kind: 'gone' | 'taken' }
  | { readonly kind: 'bound'; readonly replaced: BoundAddress | undefined };

/** After the code was proved. `owner`: the id of the user who has the address now. */
export function judgeBinding(
  { user, owner }: { user: { readonly bound: BoundAddress | undefined } | undefined; owner: string | undefined },
  { userId, emailKey }: Pick<EmailBinding, 'userId' | 'emailKey'>,
): BindingVerdict {
  if (user === undefined) return { kind: 'gone' };
  if (owner !== undefined && owner !== userId) return { kind: 'taken' };
  return { kind: 'bound', replaced: user.bound?.key === emailKey ? undefined : user.bound };
}

/** The notice to the address that is replaced. */
export function replacedNotice({ notice }: EmailBinding, replaced: BoundAddress): MessageOf<'email-replaced'> {
  return { ...notice, payload: { ...notice.payload, to: replaced.address } };
}

export function boundEvents({ userId, address, now }: EmailBinding, replaced: BoundAddress | undefined): DatedEvent[] {
  const bound: DatedEvent = { kind: 'email.bound', userId, detail: { email: maskEmail(address) }, now };
  if (replaced === undefined) return [bound];
  return [{ kind: 'email.replaced', userId, detail: { old: maskEmail(replaced.address) }, now }, bound];
}

export type EmailRemoval = { readonly userId: string; readonly by: Act; readonly now: number };

export function removedEvent({ userId, by, now }: EmailRemoval, removed: BoundAddress): DatedEvent {
  return { kind: 'email.removed', userId, detail: { old: maskEmail(removed.address), ...by }, now };
}
