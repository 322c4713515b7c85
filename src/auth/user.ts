// A user: created by the first sign-in with a phone. The phone is the main identity, the e-mail address is optional.
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
  /** Atomic: deletes the user, the links and the file records, and ends every session. */
  deleteUser(deletion: UserDeletion): Promise<DeletedUser>;
};

/** Work that remains after the commit: refuse these sessions, remove these blobs. */
export type DeletedUser = { readonly sessionIds: readonly string[]; readonly fileIds: readonly string[] };

/** A deletion leaves the user's sessions, ended for this reason, which every node must refuse, and its audit event. */
export const deletionEnd: SessionEnd = 'account deleted';

export function userDeletedEvent({ userId, now, by }: UserDeletion): DatedEvent {
  return { kind: 'user.deleted', userId, detail: { ...by }, now };
}
