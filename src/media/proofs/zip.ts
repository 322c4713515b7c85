// Proves ZIP archives and the office documents based on them: every entry is valid, with no bytes in between.
import { corrupt, type FileBytes, type Proof } from '../media-type.ts';
import { readZipDirectory } from './zip-directory.ts';
import { placeEntries } from './zip-entries.ts';
import { officeProof } from './zip-office.ts';

const localHeader = 0x04034b50;
const endOfDirectory = 0x06054b50;

export function proveZip(file: FileBytes): Proof | undefined {
  const head = file.read(0, 4);
  if (head.length < 4) return undefined;
  const signature = head.readUInt32LE(0);
  if (signature !== localHeader && signature !== endOfDirectory) return undefined;
  const directory = readZipDirectory(file);
  if (typeof directory === 'string') return corrupt('application/zip', directory);
  const entries = placeEntries(file, directory);
  if (typeof entries === 'string') return corrupt('application/zip', entries);
  return officeProof(file, entries);
}
