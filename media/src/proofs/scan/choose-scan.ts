// Chooses how files are scanned: with vector instructions, where the process may reserve the addresses that they need.
import { readFileSync } from 'node:fs';
import { createPlainScan } from './plain-scan.ts';
import { createTextScan, type TextScan } from './text-scan.ts';

type Machine = {
  readonly hasWebAssembly: boolean;
  /** The limits of the process as Linux lists them. Empty elsewhere. */
  readonly limits: string;
};

let shared: TextScan | undefined;

/** For all files of a thread, one piece after the other. */
export function sharedScan(): TextScan {
  shared ??= chooseScan();
  return shared;
}

function chooseScan(): TextScan {
  return canUseVectors(thisMachine()) ? createTextScan() : createPlainScan();
}

/**
 * The memory of WebAssembly reserves up to 10 GiB of addresses in each thread. If `ulimit -v` or `LimitAS` does not permit them, V8 ends the
 * thread, which cannot be caught: each file would look like a file that crashes its proof.
 */
export function canUseVectors({ hasWebAssembly, limits }: Machine): boolean {
  return hasWebAssembly && !/^Max address space +\d/m.test(limits);
}

function thisMachine(): Machine {
  return { hasWebAssembly: 'WebAssembly' in globalThis, limits: readLimits() };
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
