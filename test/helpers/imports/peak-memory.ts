// The most memory that a process has had, as the kernel counts it. Read again and again, because it is gone with the process.
import { readFileSync } from 'node:fs';

/** Returns a function that stops watching and answers the peak in MiB. */
export function readPeakMebibytes(pid: number): () => number {
  let peak = 0;
  const read = () => {
    try {
      const [, kibibytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      peak = Math.max(peak, Math.ceil(Number(kibibytes) / 1024));
    } catch {
      // The process has ended.
    }
  };
  const timer = setInterval(read, 20);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
