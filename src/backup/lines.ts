// Lines of a stream, each of limited length: a file of one endless line is refused before it fills the memory.
import type { Readable } from 'node:stream';
import { BackupError } from './snapshot.ts';

/** Throws the errors of the stream. Empty lines are left out. */
export async function* linesOf(stream: Readable, longest: number): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield checked(line, longest);
    checked(rest, longest);
  }
  if (rest !== '') yield rest;
}

function checked(line: string, longest: number): string {
  if (line.length > longest) throw new BackupError(`The file has a line of more than ${longest} characters.`);
  return line;
}

/** Undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
