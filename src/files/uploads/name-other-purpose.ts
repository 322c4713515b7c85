// Completes the refusal of a file by its type: names a purpose that would accept the file.

import { isMediaType } from '#media/media-type';
import { Failure } from '../../kernel/failure.ts';
import { hasTooManyPixels, type Purpose } from '../purpose.ts';

type Refused = { readonly purpose: Pick<Purpose, 'readableBy'>; readonly size: number };

/** How many may read a file. */
const readers = { owner: 0, named: 1, 'signed-in': 2 } as const satisfies Record<Purpose['readableBy'], number>;

/** Prefers a purpose with the same readers, then one with few: nobody should be led to show a file to more people. Returns any other error unchanged. */
export function nameOtherPurpose(error: unknown, purposes: readonly Purpose[], { purpose, size }: Refused): unknown {
  if (!(error instanceof Failure) || error.code !== 'FILE_TYPE_NOT_ALLOWED') return error;
  if (error.detail.whole === undefined) return error;
  const { whole, ...detail } = error.detail;
  const { type } = whole;
  const others = purposes.filter(
    (other) =>
      isMediaType(type) && other.types.includes(type) && size <= other.maxBytes && !hasTooManyPixels(whole, other),
  );
  const [fewest] = others.toSorted((a, b) => readers[a.readableBy] - readers[b.readableBy]);
  const other = others.find(({ readableBy }) => readableBy === purpose.readableBy) ?? fewest;
  return new Failure('FILE_TYPE_NOT_ALLOWED', { ...detail, ...(other !== undefined && { purpose: other.name }) });
}
