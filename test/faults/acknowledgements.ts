// What clients were told, in a file that is synced before the next step: the one witness of what must be there after a fault.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Step =
  | 'send code'
  | 'log in'
  | 'refresh'
  | 'bind'
  | 'upload'
  | 'delete'
  | 'send link'
  | 'redeem'
  | 'log out';

/** asked: the request was about to leave. done: the service has answered that it is so. refused: it has answered that it is not. */
export type Note = {
  readonly user: string;
  readonly step: Step;
  readonly outcome: 'asked' | 'done' | 'refused';
  readonly facts: Readonly<Record<string, string>>;
};

export type Acknowledgements = {
  add(note: Note): void;
  /** What was noted since the last call, by user, read back from the file. */
  takeNew(): Map<string, Note[]>;
  readonly done: () => number;
  remove(): void;
};

export function openAcknowledgements(): Acknowledgements {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-acks-'));
  const path = join(folder, 'notes');
  const file = openSync(path, 'a');
  let taken = 0;
  let done = 0;
  return {
    add: (note) => {
      writeSync(file, `${JSON.stringify(note)}\n`);
      if (note.outcome !== 'done') return;
      done += 1;
      fdatasyncSync(file);
    },
    takeNew: () => {
      const bytes = readFileSync(path);
      const lines = bytes.subarray(taken).toString().split('\n').slice(0, -1);
      taken = bytes.length;
      return Map.groupBy(
        lines.map((line) => JSON.parse(line) as Note),
        ({ user }) => user,
      );
    },
    done: () => done,
    remove: () => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
