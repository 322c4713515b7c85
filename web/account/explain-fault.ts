// Explains why a file cannot be uploaded, before it is sent.
import { type FileFault, findFault } from '../../client/src/find-fault.ts';
import { formatBytes } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import { findFitting } from './guess-purpose.ts';
import { listTypes, namePurpose, type Purpose } from './purpose-texts.ts';
import type { Upload } from './upload-queue.ts';

type Chosen = { readonly name: string; readonly size: number; readonly type: string };

/** For a file whose purpose could not be guessed. */
export function explainNoPurpose(file: Chosen, purposes: readonly Purpose[]): string {
  if (findFitting(file, purposes).length > 0) return texts.choosePurpose;
  const [largest] = purposes
    .filter((purpose) => findFault({ ...file, size: 1 }, purpose) === undefined)
    .toSorted((one, other) => other.maxBytes - one.maxBytes);
  const fault = largest && findFault(file, largest);
  if (largest !== undefined && fault !== undefined) return explainFault(fault, file, largest, purposes);
  return fill(texts.noPurpose, { types: listTypes(purposes.flatMap(({ extensions }) => extensions)) });
}

export function explainFault(
  { code }: FileFault,
  file: Chosen,
  purpose: Purpose,
  purposes: readonly Purpose[],
): string {
  const values = {
    size: formatBytes(file.size),
    max: formatBytes(purpose.maxBytes),
    purpose: namePurpose(purpose.name),
    types: listTypes(purpose.extensions),
  };
  if (code === 'FILE_TOO_LARGE') return fill(texts.tooLarge, values);
  if (code === 'FILE_EMPTY') return texts.isEmpty;
  const other = findOther(file, purpose, purposes);
  if (other === undefined) return fill(texts.wrongType, values);
  return fill(texts.wrongPurpose, { ...values, other: namePurpose(other.name) });
}

/** By the ending of the name: a type such as `video/mp4` also fits a sound. As the service does, it prefers a purpose with the same readers: nobody should be led to show a file to more people. */
function findOther(file: Chosen, { readableBy }: Purpose, purposes: readonly Purpose[]): Purpose | undefined {
  const hasEnding = (ending: string) => file.name.toLowerCase().endsWith(`.${ending}`);
  const others = purposes.filter((each) => each.extensions.some(hasEnding) && findFault(file, each) === undefined);
  return others.find((each) => each.readableBy === readableBy) ?? others[0];
}

/**
 * The service names another purpose for what the content is, but the file has the name of something else: no choice on this page would
 * help. Undefined if the refusal is about something else.
 */
export function explainContent(
  { state, purpose, sentBytes, message }: Upload,
  purposes: readonly Purpose[],
): string | undefined {
  const { extensions } = purposes.find(({ name }) => name === purpose) ?? { extensions: [] };
  const types = listTypes(extensions);
  const names = types.split(', ');
  // Only the refusal of a type lists the types. A rule names two at most.
  const listed = names.filter((name) => message?.includes(name)).length;
  const isByType = state === 'refused' && sentBytes > 0 && types !== '' && listed >= Math.min(3, names.length);
  return isByType ? fill(texts.notItsName, { types }) : undefined;
}
