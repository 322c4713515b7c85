// Links that open one file without a sign-in, and the readers whom an owner names: types, limits, and the port to the store.
import type { FileId, UserId } from '../../kernel/ids.ts';
import type { OwnerRefusal } from '../owner-state.ts';
import type { StoredFile } from '../stored-file.ts';

export const sharingLimits = {
  shortestSeconds: 60,
  usualSeconds: 7 * 86_400,
  longestSeconds: 30 * 86_400,
  linksPerFile: 100,
  readersPerFile: 100,
  mostUses: 1_000_000,
} as const;

export type FileLink = {
  /** 16 random characters (12 bytes), part of the link. */
  readonly id: string;
  readonly fileId: FileId;
  /** The links of a file work while its epoch is this one. */
  readonly epoch: number;
  readonly createdAt: number;
  /** A whole second. */
  readonly expiresAt: number;
  /** Undefined: any number of times. */
  readonly uses: number | undefined;
  readonly used: number;
};

/** One file of one user. */
export type OwnFile = { readonly fileId: FileId; readonly userId: UserId; readonly now: number };

export type LinkAsk = OwnFile &
  Pick<FileLink, 'id' | 'expiresAt' | 'uses'> & {
    /** The names of the purposes that allow links. */
    readonly purposes: readonly string[];
  };

export type ReadersChange = OwnFile & {
  readonly readers: readonly UserId[];
  /** The names of the purposes that allow named readers. */
  readonly purposes: readonly string[];
};

/** What a link says. It is not yet known whether it is true. */
export type LinkClaim = Pick<FileLink, 'fileId' | 'epoch' | 'expiresAt'> & { readonly linkId: string };

export type LinkOpening = LinkClaim & { readonly now: number };

/** `not found`: the user has no such file. */
export type SharingRefusal = 'not found' | 'not allowed' | 'full' | OwnerRefusal;

export type SharingStore = {
  createLink(ask: LinkAsk): Promise<FileLink | SharingRefusal>;
  /** Those whose time is not over, newest first, also used-up ones. Undefined if the user has no such file. */
  listLinks(input: OwnFile): Promise<readonly FileLink[] | undefined>;
  /** One link, or all of the file: then its epoch rises too. False if the user has no such file or link. */
  revokeLinks(input: OwnFile & { readonly linkId?: string }): Promise<boolean>;
  /** The file that a link opens now. Undefined for every other reason alike. It costs the same in every case, and counts nothing. */
  openLink(opening: LinkOpening): Promise<{ readonly file: StoredFile; readonly link: FileLink } | undefined>;
  /** Counts one use of a link that counts them. False if it does not open the file any more. Atomic: n uses are counted n times. */
  countUse(opening: LinkOpening): Promise<boolean>;
  /** Replaces the readers. */
  setReaders(change: ReadersChange): Promise<'set' | SharingRefusal>;
  /** In the order of their ids. Undefined if the user has no such file. */
  listReaders(input: OwnFile): Promise<readonly UserId[] | undefined>;
  /** A file, and whether its owner named this user as a reader and is not blocked, in one query. Undefined also if the file is in the trash, or if its time is over. */
  findFor(input: {
    readonly id: FileId;
    readonly userId: UserId;
    readonly now: number;
  }): Promise<{ readonly file: StoredFile; readonly isNamed: boolean } | undefined>;
};
