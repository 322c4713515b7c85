// What clamd says about itself, for the doctor: its version, the date of its signatures, a test file, and its size limit.
import type { ScannerQuestion, ScannerState } from '../../files/uploads/scan-provider.ts';
import { askClamd, ClamdTrouble } from './clamd-connection.ts';
import { takesSize } from './clamd-limit.ts';
import type { ClamdPlace } from './clamd-place.ts';
import { createClamdScanner } from './clamd-scanner.ts';
import { testFile } from './test-file.ts';

const connectMilliseconds = 3000;
const scanMilliseconds = 10_000;

export async function askClamdState(
  place: ClamdPlace,
  { largestBytes, signal }: ScannerQuestion,
): Promise<ScannerState> {
  const ask = async (command: string) =>
    (await askClamd(place, [Buffer.from(`z${command}\0`)], { connectMilliseconds, signal })).text;
  const pong = await ask('PING');
  if (pong !== 'PONG') throw new ClamdTrouble('refused', 'it does not answer like clamd');
  const [name = '', , date = ''] = (await ask('VERSION')).split('/');
  const bytes = testFile();
  const reader = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) };
  const verdict = await createClamdScanner(place).scan({
    userId: 'nobody',
    spool: { size: bytes.length, reader },
    milliseconds: scanMilliseconds,
    signal,
  });
  if (verdict.kind === 'unscanned') throw new ClamdTrouble(verdict.trouble, verdict.detail);
  return {
    name: name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 60),
    signaturesAt: dateOf(date),
    findsTestFile: verdict.kind === 'infected',
    takesLargest: await takesSize(place, largestBytes, { connectMilliseconds, signal }),
  };
}

/** `Sun Nov 15 10:26:36 2026`, in the time zone of clamd. A few hours do not matter here. */
function dateOf(text: string): number | undefined {
  const time = Date.parse(`${text.trim()} UTC`);
  return Number.isNaN(time) ? undefined : time;
}
