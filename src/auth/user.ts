// A user: created by the first sign-in with a phone. The phone is the main identity, the e-mail address is optional.
import type { Act } from '../kernel/audit.ts';

export type User = {
  readonly id: string;
  readonly phone: string;
  readonly email: string | undefined;
  readonly createdAt: number;
};

export type UserStore = {
  findUser(id: string): Promise<User | undefined>;
  /** Atomic: deletes the user and the file records, and ends every session. */
  deleteUser(input: { userId: string; now: number; by?: Act }): Promise<DeletedUser>;
};

/** Work that remains after the commit: refuse these sessions, remove these blobs. */
export type DeletedUser = { readonly sessionIds: readonly string[]; readonly fileIds: readonly string[] };
