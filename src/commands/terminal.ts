// The only way to print: control characters in names of files and browsers or in answers of other servers are escaped.
import { escapeAllButLines } from '../kernel/plain-text.ts';

/** Results go to stdout. */
export function print(text: string): void {
  process.stdout.write(escapeAllButLines(text));
}

/** Everything else goes to stderr. */
export function tell(text: string): void {
  process.stderr.write(escapeAllButLines(text));
}
