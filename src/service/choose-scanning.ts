// Composition: creates the scanner that SCAN_URL names, counts its verdicts, and logs what it could not scan.
import { findScanProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';
import type { ScannerQuestion, ScannerState } from '../files/uploads/scan-provider.ts';
import type { Scanning } from '../files/uploads/scanner.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { createRateLimitedWarnings } from '../kernel/work/rate-limited-warnings.ts';
import { countScans } from './metrics/count-outcomes.ts';
import type { Metrics } from './metrics/metric-definitions.ts';

/** What the scanner says about itself. Undefined without SCAN_URL. Throws an error that says what is wrong if it does not answer. */
export async function askScanner(
  { scan: { provider } }: Pick<Config, 'scan'>,
  question: ScannerQuestion,
): Promise<ScannerState | undefined> {
  return provider && findScanProvider(provider.scheme).ask(provider, question);
}

/** Below the ten that clamd scans at once. All processes of this node share them. */
const mostAtOnce = 8;
const warnEveryMilliseconds = 10_000;

export async function chooseScanning(
  { scan: { provider, policy }, listen: { workers } }: Pick<Config, 'scan' | 'listen'>,
  metrics: Metrics,
  log: Log,
): Promise<Scanning | undefined> {
  if (provider === undefined) return undefined;
  const ofThisProcess = Math.max(1, Math.floor(mostAtOnce / workers));
  const scanner = await findScanProvider(provider.scheme).createScanner(provider, ofThisProcess);
  const warn = createRateLimitedWarnings(log, warnEveryMilliseconds);
  return {
    scanner: countScans(scanner, metrics),
    policy,
    report: ({ trouble, detail }, isStored) => {
      if (isStored) metrics.count('files_unscanned', {});
      warn(trouble, 'upload not scanned', { trouble, detail, isStored });
    },
  };
}
