// The port by which the back end of an app reads and changes its users.

import type { BackendUser } from '../auth/directory/user-directory.ts';
import type { SessionId } from '../auth/sessions/session-id.ts';
import type { UserId } from '../kernel/ids.ts';
import type { EmailKey, PhoneNumber } from '../kernel/recipient.ts';
import type { JsonObject } from '../kernel/text/json-object.ts';
import type { UserDataChange } from './user-data.ts';

export type UserKey =
  | { readonly by: 'id'; readonly text: UserId }
  | { readonly by: 'phone'; readonly text: PhoneNumber }
  | { readonly by: 'email'; readonly text: EmailKey }
  | { readonly by: 'external id'; readonly text: string };

/** unknown: there is no such user. taken: another user has the external id. */
export type UserDataOutcome =
  | { readonly kind: 'changed'; readonly user: BackendUser }
  | { readonly kind: 'unknown' | 'taken' };

/** A session that is alive, whose user is neither blocked nor deleted. */
export type CheckedSession = { readonly claims: JsonObject };

export type BackendUserStore = {
  find(key: UserKey): Promise<BackendUser | undefined>;
  /** In the order of their ids. Users who are added meanwhile have larger ids, so that no page misses or repeats a user. */
  list(input: { after: string | undefined; most: number }): Promise<BackendUser[]>;
  /** Atomic: of several racing calls that give an external id to different users, one does. */
  change(change: UserDataChange): Promise<UserDataOutcome>;
  /** Reads the session itself, so that its end on any node is seen at once. */
  checkSession(input: { userId: UserId; sessionId: SessionId; now: number }): Promise<CheckedSession | undefined>;
};
