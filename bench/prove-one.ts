// Proves one file as the examiner thread does, and prints its processor time and memory. Each file runs in its own process.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { proveMediaType } from '../src/media/prove-media-type.ts';
import { planStrip } from '../src/media/strip-metadata.ts';

const descriptor = openSync(process.argv[2] ?? '', 'r');
const { size } = fstatSync(descriptor);
const file = {
  size,
  read: (position: number, length: number) => {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position));
  },
};
const restMebibytes = statusOf('VmRSS');
const begun = process.threadCpuUsage();
const verdict = prove();
const { user, system } = process.threadCpuUsage(begun);
const growthMebibytes = Math.max(0, statusOf('VmHWM') - restMebibytes);
closeSync(descriptor);
console.log(JSON.stringify({ milliseconds: (user + system) / 1000, growthMebibytes, verdict }));

/** Only Linux reports it. The peak of getrusage is that of the parent process. */
function statusOf(name: 'VmRSS' | 'VmHWM'): number {
  const path = '/proc/self/status';
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
}

function prove(): string {
  try {
    const proof = proveMediaType(file);
    if (proof?.kind === 'proved') planStrip(proof.type, file);
    return proof?.kind ?? 'none of our types';
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
}
