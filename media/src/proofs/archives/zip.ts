// Proves ZIP archives and the office documents based on them: every entry is valid, with no bytes in between.
import type { FileBytes } from '../../media-type.ts';
import { excluded, isObjection, type Proof, refused } from '../../proof.ts';
import { officeProof } from '../documents/zip-office.ts';
import { readZipDirectory } from './zip-directory.ts';
import { placeEntries } from './zip-entries.ts';

const localHeader = 0x04034b50;
const endOfDirectory = 0x06054b50;
/** A part of a split archive begins with the first mark; the second is for one that needed no splitting. */
const splitMarks = new Set([0x08074b50, 0x30304b50]);

export function proveZip(file: FileBytes): Proof | undefined {
  const head = file.read(0, 4);
  if (head.length < 4) return undefined;
  const signature = head.readUInt32LE(0);
  if (splitMarks.has(signature)) return excluded('application/zip', 'zip-form');
  if (signature !== localHeader && signature !== endOfDirectory) return undefined;
  const directory = readZipDirectory(file);
  if (isObjection(directory)) return refused('application/zip', directory);
  const entries = placeEntries(file, directory);
  if (isObjection(entries)) return refused('application/zip', entries);
  return officeProof(file, entries);
}
