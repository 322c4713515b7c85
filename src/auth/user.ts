// A user: made by the first successful phone login; the phone is the root identity, the e-mail address optional.
import type { Act } from '../kernel/audit.ts';

export type User = {
  readonly id: string;
  readonly phone: string;
  readonly email: string | undefined;
  readonly createdAt: number;
};

export type UserStore = {
  findUser(id: string): Promise<User | undefined>;
  /** Removes the person and the records of their files and ends every session, in one commit. */
  deleteUser(input: { userId: string; now: number; by?: Act }): Promise<DeletedUser>;
};

/** What is left to do: sessions to be refused, blobs to be removed. */
export type DeletedUser = { readonly sessionIds: readonly string[]; readonly fileIds: readonly string[] };
