// A user: made by the first successful phone login; the phone is the root identity, the e-mail address optional.
import type { Act, DatedEvent } from '../kernel/audit.ts';
import type { SessionEnd } from './session.ts';

export type User = {
  readonly id: string;
  readonly phone: string;
  readonly email: string | undefined;
  readonly createdAt: number;
};

/** `by` is left out where users delete their own account. */
export type UserDeletion = { readonly userId: string; readonly now: number; readonly by?: Act };

export type UserStore = {
  findUser(id: string): Promise<User | undefined>;
  /** Removes the user, their links and the records of their files and ends every session, in one commit. */
  deleteUser(deletion: UserDeletion): Promise<DeletedUser>;
};

/** What is left to do: sessions to be refused, blobs to be removed. */
export type DeletedUser = { readonly sessionIds: readonly string[]; readonly fileIds: readonly string[] };

/** A deletion leaves the user's sessions, ended for this reason, which every node must refuse, and its audit event. */
export const deletionEnd: SessionEnd = 'account deleted';

export function userDeletedEvent({ userId, now, by }: UserDeletion): DatedEvent {
  return { kind: 'user.deleted', userId, detail: { ...by }, now };
}
