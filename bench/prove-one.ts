// Proves files as the examiner thread does, one after the other, and prints their processor time and memory. Runs in a process of
// its own for each file, or for all real files of one type.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { proveMediaType } from '#media/prove-media-type';
import { planStrip } from '#media/strip-metadata';

type Figures = { readonly path: string; readonly milliseconds: number; readonly verdict: string };

const restMebibytes = statusOf('VmRSS');
const all = process.argv.slice(2).map(measure);
const slowest = all.toSorted((one, other) => other.milliseconds - one.milliseconds)[0];
const milliseconds = all.reduce((sum, each) => sum + each.milliseconds, 0);
const growthMebibytes = Math.max(0, statusOf('VmHWM') - restMebibytes);
console.log(JSON.stringify({ milliseconds, growthMebibytes, verdict: all[0]?.verdict, slowest }));

function measure(path: string): Figures {
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  const file = {
    size,
    read: (position: number, length: number) => {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position));
    },
  };
  const begun = process.threadCpuUsage();
  const verdict = prove(file);
  const { user, system } = process.threadCpuUsage(begun);
  closeSync(descriptor);
  return { path, milliseconds: (user + system) / 1000, verdict };
}

/** Only Linux reports it. The peak of getrusage is that of the parent process. */
function statusOf(name: 'VmRSS' | 'VmHWM'): number {
  const path = '/proc/self/status';
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
}

function prove(file: Parameters<typeof proveMediaType>[0]): string {
  try {
    const proof = proveMediaType(file);
    if (proof?.kind === 'proved') planStrip(proof.type, file);
    return proof?.kind ?? 'none of our types';
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
}
