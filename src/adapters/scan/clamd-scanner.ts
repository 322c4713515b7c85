// Scans spools with clamd: INSTREAM on a connection per file, a bounded number at once, and at most two of one user.
import type { Scan, Scanner, Verdict } from '../../files/uploads/scanner.ts';
import { Failure } from '../../kernel/failure.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import { createTurns } from '../../kernel/work/turns.ts';
import { overLimit, readVerdict } from './clamd-answer.ts';
import { askClamd, ClamdTrouble } from './clamd-connection.ts';
import { takesSize } from './clamd-limit.ts';
import type { ClamdPlace } from './clamd-place.ts';
import { chunkLength, instream, longestChunkBytes } from './instream.ts';

type ClamdPolicy = {
  /** Less than MaxThreads of clamd (10), so that its other users get their turn. */
  readonly mostAtOnce: number;
  readonly connectMilliseconds: number;
};

const usualPolicy: ClamdPolicy = { mostAtOnce: 8, connectMilliseconds: 3000 };
const mostOfOneUser = 2;
/** As many as may wait to be examined. */
const mostWaiting = { most: 256, mostOfOne: 64 };
const pieceBytes = 128 * 1024;

export function createClamdScanner(place: ClamdPlace, changes: Partial<ClamdPolicy> = {}): Scanner {
  const { mostAtOnce, connectMilliseconds } = { ...usualPolicy, ...changes };
  const turns = createTurns({ most: mostAtOnce, mostOfOne: mostOfOneUser, waiting: mostWaiting, refuse: tooMany });

  async function scanNow({ spool }: Scan, signal: AbortSignal): Promise<Verdict> {
    let isSent = false;
    const parts = async function* () {
      yield* streamOf(spool);
      isSent = true;
      yield chunkLength(0);
    };
    const asking = { connectMilliseconds, signal };
    try {
      return readVerdict(await askClamd(place, parts(), asking), isSent);
    } catch (error) {
      // clamd refuses a size while the bytes are still on their way. The answer is then often lost with the connection.
      const isRefused = error instanceof ClamdTrouble && error.isCut && !(await takesSize(place, spool.size, asking));
      if (isRefused) return overLimit;
      throw error;
    }
  }

  async function scanInTurn(scan: Scan, signal: AbortSignal): Promise<Verdict> {
    const wait = (turn: Promise<void>) =>
      waitFor(turn, { milliseconds: scan.milliseconds, late: tooSlow, signal }).catch((error: unknown) => {
        // The user's own files kept it waiting: that says nothing about the scanner.
        throw error instanceof ClamdTrouble && turns.weightOf(scan.userId) >= mostOfOneUser ? tooMany('own') : error;
      });
    const endTurn = await turns.take(scan.userId, wait);
    return await scanNow(scan, signal).finally(endTurn);
  }

  return {
    scan: async (scan) => {
      const over = new AbortController();
      const abort = () => over.abort(scan.signal.reason);
      scan.signal.addEventListener('abort', abort);
      if (scan.signal.aborted) abort();
      const timer = setTimeout(() => over.abort(tooSlow()), scan.milliseconds);
      try {
        return await scanInTurn(scan, over.signal);
      } catch (error) {
        if (!(error instanceof ClamdTrouble)) throw error;
        return { kind: 'unscanned', trouble: error.trouble, detail: error.message };
      } finally {
        clearTimeout(timer);
        scan.signal.removeEventListener('abort', abort);
      }
    },
  };
}

/** A full queue says nothing about the file. So it does not count as one that could not be scanned, which SCAN_FAIL=open stores. */
function tooMany(because: 'own' | 'all'): Failure {
  return new Failure(because === 'own' ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
}

function tooSlow(): ClamdTrouble {
  return new ClamdTrouble('slow', 'no answer in time');
}

/** The size is announced before the first byte, so that clamd refuses a file over its limit at once. */
async function* streamOf({ size, reader }: Scan['spool']): AsyncIterable<Buffer> {
  yield instream;
  for (let start = 0; start < size; start += longestChunkBytes) {
    const end = Math.min(size, start + longestChunkBytes);
    yield chunkLength(end - start);
    for (let at = start; at < end; at += pieceBytes) {
      const length = Math.min(pieceBytes, end - at);
      const piece = await reader.read(at, length);
      if (piece.length !== length) throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
      yield piece;
    }
  }
}
