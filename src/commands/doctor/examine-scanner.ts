// The check of the doctor that asks the scanner: its version and signatures, a test file, and whether it takes the largest upload.

import type { Config } from '../../config/config.ts';
import type { ScannerState } from '../../files/uploads/scan-provider.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { askScanner } from '../../service/choose-scanning.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

const askMilliseconds = 15_000;
const day = 86_400_000;
const oldDays = 7;

export async function examineScanner(config: Config): Promise<Finding[]> {
  const largestBytes = Math.max(...config.files.purposes.map(({ maxBytes }) => maxBytes));
  try {
    const state = await askScanner(config, { largestBytes, signal: AbortSignal.timeout(askMilliseconds) });
    if (state === undefined) return [good('scanner', 'none; uploads are not scanned for malware')];
    return judgeScanner(state, largestBytes, Date.now());
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return [bad('scanner', `it does not answer: ${cause}`, cureOf(cause))];
  }
}

export function judgeScanner(
  { name, signaturesAt, findsTestFile, takesLargest }: ScannerState,
  largestBytes: number,
  now: number,
): Finding[] {
  const findings: Finding[] = [];
  const update = 'run freshclam, and check that it runs regularly';
  if (!findsTestFile) findings.push(bad('scanner', `${name} does not find the EICAR test file`, update));
  if (!takesLargest)
    findings.push(
      bad(
        'scanner',
        `${name} refuses files of ${formatBytes(largestBytes)}, the largest that the purposes allow`,
        `set StreamMaxLength, MaxScanSize and MaxFileSize in clamd.conf to ${Math.ceil(largestBytes / 2 ** 20)}M or more`,
      ),
    );
  const days = signaturesAt === undefined ? undefined : Math.max(0, Math.floor((now - signaturesAt) / day));
  if (days === undefined) findings.push(doubtful('scanner', `${name} does not say how old its signatures are`, update));
  else if (days > oldDays) findings.push(doubtful('scanner', `${name}: its signatures are ${days} days old`, update));
  if (findings.length > 0) return findings;
  return [good('scanner', `${name} finds the test file; its signatures are ${days} days old`)];
}

function cureOf(cause: string): string {
  const cures: readonly (readonly [pattern: RegExp, cure: string])[] = [
    [/ECONNREFUSED|ENOENT/, 'start clamd, and compare SCAN_URL with TCPSocket, TCPAddr and LocalSocket in clamd.conf'],
    [/EACCES|EPERM/, 'let the user of the service use the socket: LocalSocketGroup and LocalSocketMode in clamd.conf'],
    [/ENOTFOUND|EAI_AGAIN/, 'correct the host name in SCAN_URL'],
    [/no connection|timeout|aborted/, 'check the network and the firewall between the service and clamd'],
  ];
  const found = cures.find(([pattern]) => pattern.test(cause))?.[1];
  return found ?? 'check that SCAN_URL names clamd, and read its log; loading its signatures takes up to a minute';
}
