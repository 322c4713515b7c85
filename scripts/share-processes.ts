// Puts test files together that share a process: loading the sources costs more than most files need for their tests.
import { longestFiles } from './longest-files.ts';

/** Few enough that the processes end at about the same time, and that a fault is soon found. */
export const filesPerProcess = 12;

/** Test files that change something which the whole process shares, and what that is. */
export const aloneBecause: Readonly<Record<string, string>> = {
  'test/adapters/mail/smtp-sender.live.test.ts': 'its hook runs after every test of the process',
  'test/adapters/sms/sms-providers.live.test.ts': 'its hook runs before every test of the process',
};

/** Neighbours share a process, because they load the same sources. Long files, and those that need a browser, have their own. */
export function shareProcesses(files: readonly string[]): (readonly string[])[] {
  const canShare = (file: string) =>
    /\.(?:live|contract)\.test\.ts$/.test(file) && !longestFiles.includes(file) && aloneBecause[file] === undefined;
  const { true: shared = [], false: alone = [] } = Object.groupBy(files, (file) => `${canShare(file)}`);
  const processes = Math.ceil(shared.length / filesPerProcess);
  const share = shared.length / processes;
  return [
    ...Array.from({ length: processes }, (_, index) =>
      shared.slice(Math.round(index * share), Math.round((index + 1) * share)),
    ),
    ...alone.map((file) => [file]),
  ];
}
