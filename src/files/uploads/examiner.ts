// The port that examines uploads. Proving, hashing and stripping must not block the thread that answers requests.

import type { MediaType } from '#media/media-type';
import type { UserId } from '../../kernel/ids.ts';
import type { Purpose } from '../purpose.ts';
import type { Spool } from '../spool/spool.ts';

export type Question = {
  readonly purpose: Purpose;
  /** As sent by the client. */
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  /** The expected SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  /** Whether the findings must include the fingerprint. */
  readonly needsFingerprint: boolean;
};

export type Examined = {
  readonly type: MediaType;
  readonly name: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly charset: string | undefined;
};

export type Findings = {
  readonly examined: Examined;
  /** Size and hash (hex) of the bytes to store. If metadata was removed, the spool now contains the stripped file. */
  readonly kept: { readonly size: number; readonly sha256: string };
  /** SHA-256 of the bytes as sent, in hex. May be undefined if it was not requested. */
  readonly fingerprint: string | undefined;
};

export type Examiner = {
  /** Throws RATE_LIMITED if too many files of this user wait, and SERVICE_UNAVAILABLE if too many files wait in total. */
  admit(userId: UserId): void;
  /** Throws what is wrong with the file, the errors of `admit`, or storage errors. Takes the files of different users in turn. */
  examine(userId: UserId, spool: Spool, question: Question): Promise<Findings>;
  /** SHA-256 of the bytes as sent, in hex. */
  fingerprint(userId: UserId, spool: Spool): Promise<string>;
};
