// The only way to the terminal: what strangers wrote (names of files and browsers, words of other servers) is shown, never obeyed.
import { escapeAllButLines } from '../kernel/plain-text.ts';

/** What was asked for. */
export function print(text: string): void {
  process.stdout.write(escapeAllButLines(text));
}

/** Everything that is said about it. */
export function tell(text: string): void {
  process.stderr.write(escapeAllButLines(text));
}
