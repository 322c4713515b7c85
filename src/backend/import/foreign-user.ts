// A user as another service exports it, before any rule of ours has looked at it, and the interface of the readers of files.
import type { UserDataField } from '../user-data.ts';

/** What the app stores is not checked yet. Undefined or absent: it is not in the file. */
export type ForeignUser = Readonly<Partial<Record<UserDataField, unknown>>> & {
  /** The id there. It becomes the external id. */
  readonly externalId: string | undefined;
  /** The id there is a number that was not read exactly. */
  readonly isIdRounded?: boolean;
  /** Only in our own format: the id that the user had in another installation, and keeps. */
  readonly id?: string | undefined;
  readonly phone: string | undefined;
  readonly isPhoneVerified: boolean;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly createdAt: number | undefined;
  readonly lastSeenAt: number | undefined;
  readonly isBlocked: boolean;
  /** Since when, where the file says so. */
  readonly blockedAt?: number | undefined;
  /** A ban that ends by itself. It counts until then. */
  readonly blockedUntil?: number | undefined;
  /** The record is kept there, but the account is gone. */
  readonly isDeleted?: boolean;
};

/** One record of a file. `line` is where it begins. `problem`: why it cannot be read. */
export type Entry = { readonly line: number } & ({ readonly value: unknown } | { readonly problem: string });

/** Cuts text into records, whatever chunks the text comes in. Holds at most one record in memory. */
export type Splitter = { push(text: string): Entry[]; end(): Entry[] };

export type Source = {
  /** `start`: the beginning of the file without leading white space. It distinguishes JSON from CSV. */
  split(start: string): Splitter;
  read(record: Readonly<Record<string, unknown>>): ForeignUser;
};

/** The file as a whole cannot be read: another format than was said, or damaged. */
export class SourceError extends Error {}

/** No record of a user is that long. A longer one is refused and skipped. */
export const longestRecord = 1024 * 1024;

export const tooLong = 'the record is longer than 1 MiB';
