// Explains why a file cannot be uploaded, before it is sent.
import type { FileFault } from '../../client/src/find-fault.ts';
import { fill } from '../parts/facts.ts';
import { formatBytes } from '../parts/format.ts';
import { texts } from './account-texts.ts';
import { listTypes, namePurpose, type Purpose } from './purpose-texts.ts';

export function explainFault({ code }: FileFault, file: File, purpose: Purpose): string {
  const values = {
    size: formatBytes(file.size),
    max: formatBytes(purpose.maxBytes),
    purpose: namePurpose(purpose.name),
    types: listTypes(purpose.extensions),
  };
  if (code === 'FILE_TOO_LARGE') return fill(texts.tooLarge, values);
  return code === 'FILE_EMPTY' ? texts.isEmpty : fill(texts.wrongType, values);
}
