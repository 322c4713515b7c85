// A user: made by the first successful phone login; the phone is the root identity, the e-mail address optional.

export type User = {
  readonly id: string;
  readonly phone: string;
  readonly email: string | undefined;
  readonly createdAt: number;
};

export type UserStore = {
  findUser(id: string): Promise<User | undefined>;
  /** Removes the person and ends every session, in one commit; gives the ids of the ended sessions. */
  deleteUser(input: { userId: string; now: number }): Promise<string[]>;
};
