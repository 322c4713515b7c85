// The port to a virus scanner, what a scan can say, and whether a file that it could not scan is stored.
import type { UserId } from '../../kernel/ids.ts';
import type { Spool } from '../spool/spool.ts';

/**
 * Why a file was not scanned. unreachable: no connection, or it broke. slow: no answer in time. refused: an answer that is no
 * verdict. limit: the file is larger or deeper than the scanner is set to scan.
 */
export const scanTroubles = ['unreachable', 'slow', 'refused', 'limit'] as const;

export type ScanTrouble = (typeof scanTroubles)[number];

/** The scanner has no verdict. The detail is for the log. */
type Unscanned = { readonly kind: 'unscanned'; readonly trouble: ScanTrouble; readonly detail: string };

export type Verdict =
  | { readonly kind: 'clean' }
  /** The name of what was found: at most 100 characters of `A–Z a–z 0–9 _ . : / ( ) -`. */
  | { readonly kind: 'infected'; readonly signature: string }
  | Unscanned;

export type Scan = {
  /** Nobody where the service checks the scanner itself. */
  readonly userId: UserId | 'nobody';
  readonly spool: Pick<Spool, 'size' | 'reader'>;
  /** For the whole scan, with the wait for a turn. */
  readonly milliseconds: number;
  /** Ends the scan at once. Its reason is thrown. */
  readonly signal: AbortSignal;
};

export type Scanner = {
  /**
   * Takes the files of different users in turn. Throws RATE_LIMITED if too many files of this user wait, SERVICE_UNAVAILABLE if too
   * many files wait in total, the reason of the signal, and errors of the spool.
   */
  scan(scan: Scan): Promise<Verdict>;
};

/** SCAN_FAIL: closed refuses a file that cannot be scanned, open stores it. */
export type ScanPolicy = 'closed' | 'open';

export type Scanning = {
  readonly scanner: Scanner;
  readonly policy: ScanPolicy;
  /** Called for every file that was not scanned. */
  readonly report: (unscanned: Unscanned, isStored: boolean) => void;
};

/** Nothing but the operator can change a limit of the scanner, so a client need not ask again soon. */
export const retryAfterSeconds: Readonly<Record<ScanTrouble, number>> = {
  unreachable: 5,
  slow: 30,
  refused: 30,
  limit: 3600,
};
