// Reads a file of settings: a regular file or a pipe, of a limited size, that holds text.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

const mostBytes = 2 ** 20;

/** Says what is wrong with the file. It continues a sentence that begins with the path. */
export class UnusableFile extends Error {
  readonly cure: string;

  constructor(trouble: string, cure: string) {
    super(trouble);
    this.cure = cure;
  }
}

/** Undefined if there is no such file. Throws UnusableFile, or the error of the system. */
export function readSettingsFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // systemd masks a unit with it, and others mask a file of settings.
  if (stats.isCharacterDevice() && stats.rdev === statSync(devNull).rdev) return '';
  // A device such as /dev/zero has no end, and a terminal would wait for somebody to type.
  if (!stats.isFile() && !stats.isFIFO())
    throw new UnusableFile(`is ${stats.isDirectory() ? 'a folder' : 'no file'}`, 'name a file or a pipe');
  return textOf(readBytes(path));
}

/** The size that the system tells is 0 for a pipe, and a file may grow. */
function readBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      length += read;
      if (length > mostBytes)
        throw new UnusableFile('has more than 1 MiB', 'name a file with lines NAME=value and nothing else');
      if (read === 0) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** As for systemd, a carriage return alone ends a line, too. */
export function textOf(bytes: Buffer): string {
  // Editors of Windows save UTF-16 on request. Its every second byte is 0.
  if (bytes.includes(0))
    throw new UnusableFile('holds bytes that are no text', 'save it as UTF-8, with lines NAME=value');
  return bytes.toString('utf8').replace(/\r\n?/g, '\n');
}
