// The only way to print: control characters in names of files and browsers or in answers of other servers are escaped.
import { once } from 'node:events';
import { escapeAllButLines } from '../kernel/text/plain-text.ts';
import { type Piece, paint, usesColour } from '../kernel/text/terminal-style.ts';

/** Results go to stdout. */
export function print(text: string): void {
  process.stdout.write(escapeAllButLines(text));
}

/** Like `print`, for long results: waits for the reader, so that memory does not grow. */
export async function printInTurn(text: string): Promise<void> {
  if (!process.stdout.write(escapeAllButLines(text))) await once(process.stdout, 'drain');
}

/** Everything else goes to stderr. Styles are for people: they are left out if stderr is not a terminal. */
export function tell(...pieces: readonly Piece[]): void {
  process.stderr.write(paint(pieces, usesColour(process.env, process.stderr.isTTY)));
}
