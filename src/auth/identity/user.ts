// A user: created by the first sign-in with a phone. An e-mail address is a second way in. A number that somebody else has now is lost.

import type { Act, DatedEvent } from '../../kernel/audit.ts';
import type { FileId, UploadId, UserId } from '../../kernel/ids.ts';
import type { EmailAddress, PhoneNumber } from '../../kernel/recipient.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import type { SessionEnd } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';

export type User = {
  readonly id: UserId;
  readonly phone: PhoneNumber | undefined;
  readonly email: EmailAddress | undefined;
  readonly createdAt: number;
  /** What an app stores for the user to read. Empty if it has stored none. */
  readonly publicMetadata: JsonObject;
};

/** `by` is left out where users delete their own account. */
export type UserDeletion = { readonly userId: UserId; readonly now: number; readonly by?: Act };

export type UserStore = {
  findUser(id: UserId): Promise<User | undefined>;
  /** Atomic: deletes the user, the links and the file records, and ends every session. */
  deleteUser(deletion: UserDeletion): Promise<DeletedUser>;
};

/** Work that remains after the commit: refuse these sessions, remove these bytes, which the commit has queued for removal. */
type DeletedUser = {
  readonly sessionIds: readonly SessionId[];
  readonly fileIds: readonly FileId[];
  /** Uploads in several requests. */
  readonly uploadIds: readonly UploadId[];
};

/** A deletion leaves the user's sessions, ended for this reason, which every node must refuse, and its audit event. */
export const deletionEnd: SessionEnd = 'account deleted';

export function userDeletedEvent({ userId, now, by }: UserDeletion): DatedEvent {
  return { kind: 'user.deleted', userId, detail: { ...by }, now };
}
