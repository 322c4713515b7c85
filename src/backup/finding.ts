// What is wrong with a backup, one line for each finding. A name from an archive is shown, and nothing in it commands the terminal.
import { escapeControls } from '../kernel/text/plain-text.ts';
import { BackupError } from './snapshot.ts';

/** Called for each finding. It may throw. */
export type OnBad = (finding: string) => void;

export type Findings = {
  readonly add: OnBad;
  /** The first findings, and how many more there are. */
  list(): string[];
  /** The first few in one sentence, for a command that goes no further. Undefined if there are none. */
  refusal(): BackupError | undefined;
};

const longestName = 100;
const mostNamed = 1000;
const mostInSentence = 5;

export function quote(text: string): string {
  const isLong = text.length > longestName;
  return `“${escapeControls(text.slice(0, longestName))}${isLong ? '…' : ''}”`;
}

/** For readers that go no further. */
export function refuseBackup(...findings: readonly string[]): never {
  throw new BackupError(`The backup cannot be used: ${findings.join('; ')}.`);
}

export function createFindings(): Findings {
  const named: string[] = [];
  let count = 0;
  const more = (shown: number) => (count > shown ? [`… and ${count - shown} more findings`] : []);
  return {
    add: (finding) => {
      count += 1;
      if (named.length < mostNamed) named.push(finding);
    },
    list: () => [...named, ...more(mostNamed)],
    refusal: () => {
      if (count === 0) return undefined;
      const first = [...named.slice(0, mostInSentence), ...more(mostInSentence)];
      return new BackupError(`The backup cannot be used: ${first.join('; ')}.`);
    },
  };
}
