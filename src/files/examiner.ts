// Who examines uploads: a port, because proving, hashing and removing metadata must not be done where requests are answered.

import type { MediaType } from '../media/media-type.ts';
import type { Spool } from './blob-store.ts';
import type { Purpose } from './purpose.ts';

export type Question = {
  readonly purpose: Purpose;
  /** As the client gave them. */
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  /** Base64 of the SHA-256 that the bytes as they were sent must have. */
  readonly digest: string | undefined;
  /** Whether the fingerprint is wanted, too. */
  readonly needsFingerprint: boolean;
};

export type Examined = {
  readonly type: MediaType;
  readonly name: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
};

export type Findings = {
  readonly examined: Examined;
  /** Of what is to be kept: where metadata was removed, the spool has given way to what is left. */
  readonly kept: { readonly size: number; readonly sha256: string };
  /** SHA-256 of the bytes as they were sent, in hex; undefined where it was not asked for. */
  readonly fingerprint: string | undefined;
};

export type Examiner = {
  /** Throws RATE_LIMITED where too many files of this person wait already, SERVICE_UNAVAILABLE where too many of all do. */
  admit(userId: string): void;
  /** Throws what is wrong with the file, what admit throws, or what the storage says. Several people's files are taken in turn. */
  examine(userId: string, spool: Spool, question: Question): Promise<Findings>;
  /** SHA-256 of the bytes as they were sent, in hex. */
  fingerprint(userId: string, spool: Spool): Promise<string>;
};
