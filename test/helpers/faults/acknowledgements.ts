// The answers that clients got, in a file synced before the next step: the record of what must be there after a fault.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Step =
  | 'send code'
  | 'sign in'
  | 'refresh'
  | 'bind'
  | 'upload'
  | 'delete'
  | 'send link'
  | 'redeem'
  | 'sign out';

/** asked: the request is about to be sent. done: the service answered with success. refused: it answered with an error. */
export type Note = {
  readonly user: string;
  readonly step: Step;
  readonly outcome: 'asked' | 'done' | 'refused';
  readonly facts: Readonly<Record<string, string>>;
};

export type Acknowledgements = {
  add(note: Note): void;
  /** The notes since the last call, by user, read back from the file. */
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
