// The purpose of an upload: found by its name, with the refusals that name the others or its limit.
import { Failure } from '../../kernel/failure.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import type { Purpose } from '../purpose.ts';

export function findPurpose(purposes: readonly Purpose[], name: string | undefined): Purpose {
  if (name === undefined) throw new Failure('FILE_PURPOSE_REQUIRED', { list: namesOf(purposes) });
  const purpose = purposes.find((each) => each.name === name);
  if (purpose === undefined) throw new Failure('FILE_PURPOSE_UNKNOWN', { list: namesOf(purposes) });
  return purpose;
}

function namesOf(purposes: readonly Purpose[]): string {
  return purposes.map((purpose) => purpose.name).join(', ');
}

export function tooLarge(maxBytes: number): Failure {
  return new Failure('FILE_TOO_LARGE', { limit: formatBytes(maxBytes), maxBytes });
}
