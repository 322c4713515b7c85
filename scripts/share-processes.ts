// Puts test files together that share a process: loading the sources costs more than most files need for their tests.
import { longestFiles } from './longest-files.ts';

/** Few enough that the processes end at about the same time, and that a fault is soon found. */
export const filesPerProcess = 12;

/** Test files that change something which the whole process shares, and what that is. */
export const aloneBecause: Readonly<Record<string, string>> = {
  'test/adapters/mail/smtp-sender.live.test.ts': 'its hook runs after every test of the process',
  'test/adapters/sms/sms-providers.live.test.ts': 'its hook runs before every test of the process',
};

/** They share a browser too, and each test takes longer. */
export const pagesPerProcess = 5;

/** Neighbours share a process, because they load the same sources. Long files have their own, unless a browser would start for each. */
export function shareProcesses(files: readonly string[]): (readonly string[])[] {
  const { live = [], page = [], alone = [] } = Object.groupBy(files, kindOf);
  return [...divide(page, pagesPerProcess), ...divide(live, filesPerProcess), ...alone.map((file) => [file])];
}

function kindOf(file: string): 'live' | 'page' | 'alone' {
  if (aloneBecause[file] !== undefined) return 'alone';
  if (file.endsWith('.page.test.ts')) return 'page';
  return /\.(?:live|contract)\.test\.ts$/.test(file) && !longestFiles.includes(file) ? 'live' : 'alone';
}

function divide(files: readonly string[], most: number): (readonly string[])[] {
  const processes = Math.ceil(files.length / most);
  const share = files.length / processes;
  return Array.from({ length: processes }, (_, index) =>
    files.slice(Math.round(index * share), Math.round((index + 1) * share)),
  );
}
