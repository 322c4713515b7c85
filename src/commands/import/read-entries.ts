// Reads a file in chunks and cuts it into the records of a source. Only UTF-8 is read.
import { createReadStream } from 'node:fs';
import { type Entry, type Source, SourceError, type Splitter } from '../../backend/import/foreign-user.ts';

/** Refuses other encodings: guessing would damage names. `onRead` gets the number of bytes read so far. */
export async function* readEntries(
  path: string,
  source: Source,
  onRead: (bytes: number) => void,
): AsyncGenerator<readonly Entry[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let splitter: Splitter | undefined;
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (bytes === 0) refuseOther(chunk);
    const text = decode(decoder, chunk);
    bytes += chunk.length;
    onRead(bytes);
    splitter ??= splitterFor(source, text);
    const entries = splitter?.push(text) ?? [];
    if (entries.length > 0) yield entries;
  }
  decode(decoder);
  if (splitter === undefined) throw new SourceError('The file is empty.');
  const entries = splitter.end();
  if (entries.length > 0) yield entries;
}

/** Undefined as long as there was only white space. */
function splitterFor(source: Source, text: string): Splitter | undefined {
  const start = text.trimStart();
  return start === '' ? undefined : source.split(start);
}

function refuseOther(chunk: Buffer): void {
  const start = chunk.subarray(0, 4);
  if (start[0] === 0x1f && start[1] === 0x8b)
    throw new SourceError('The file is packed with gzip. Unpack it first (gunzip FILE).');
  if (start.toString('latin1') === 'PK\x03\x04')
    throw new SourceError(
      'The file is a spreadsheet or a ZIP archive. Save the spreadsheet as “CSV UTF-8”, or unpack it.',
    );
  const hasMark = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (hasMark || start.includes(0))
    throw new SourceError('The file is UTF-16. Save it as UTF-8 (iconv -f UTF-16 -t UTF-8 FILE > NEW).');
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new SourceError(
      'The file is not UTF-8. Save it in Excel as “CSV UTF-8”, or convert it (iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW).',
    );
  }
}
