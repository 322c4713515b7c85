// A step of an upload: has the bytes scanned that will be stored. An infected file is recorded and refused.
import { Failure } from '../../kernel/failure.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import type { Infection } from '../stored-file.ts';
import { retryAfterSeconds, type Scan } from './scanner.ts';
import { scanTimeOf } from './upload-times.ts';

type Deps = Pick<FileDeps, 'scanning' | 'files' | 'clock' | 'uploadTimes'>;

/** Resolves if the file may be stored: it is clean, or there is no scanner, or SCAN_FAIL is open. */
export async function scanFile(
  { scanning, files, clock, uploadTimes }: Deps,
  { spool, signal, ...facts }: Omit<Infection, 'signature' | 'now'> & Pick<Scan, 'spool' | 'signal'>,
): Promise<void> {
  if (scanning === undefined) return;
  const { scanner, policy, report } = scanning;
  const milliseconds = scanTimeOf(uploadTimes, facts.size);
  const verdict = await scanner.scan({ userId: facts.userId, spool, milliseconds, signal });
  if (verdict.kind === 'clean') return;
  if (verdict.kind === 'infected') {
    const outcome = await files.refuseInfected({ ...facts, signature: verdict.signature, now: clock.now() });
    throw outcome === 'gone' ? ownerFailure(outcome, facts.by) : new Failure('FILE_INFECTED');
  }
  report(verdict, policy === 'open');
  if (policy === 'open') return;
  const detail = { retryAfterSeconds: retryAfterSeconds[verdict.trouble] };
  throw new Failure('SERVICE_UNAVAILABLE', detail, new Error(`not scanned: ${verdict.detail}`));
}
