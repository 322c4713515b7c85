// Parses a Range header into one or more byte ranges, and joins ranges that touch or overlap.

export type ByteRange = { readonly start: number; readonly end: number };

const mostRanges = 8;

/** Undefined means the whole file. RFC 9110 section 14.2: an invalid Range header is ignored. */
export function chooseRanges(
  range: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
  modified: Date,
): readonly ByteRange[] | 'unsatisfiable' | undefined {
  if (range === undefined || (ifRange !== undefined && !isCurrent(ifRange, etag, modified))) return undefined;
  const specs = /^bytes=([\d\s,-]{1,500})$/i
    .exec(range)?.[1]
    ?.split(',')
    .map((spec) => spec.trim());
  if (
    specs === undefined ||
    specs.length > mostRanges ||
    specs.some((spec) => !/^(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(spec))
  )
    return undefined;
  const parsed = specs.map((spec) => parseSpec(spec, size));
  if (parsed.some((found) => found === 'malformed')) return undefined;
  const ranges = join(parsed.filter((found): found is ByteRange => typeof found === 'object'));
  return ranges.length === 0 ? 'unsatisfiable' : ranges;
}

/** Undefined if the range is outside the file. */
function parseSpec(spec: string, size: number): ByteRange | 'malformed' | undefined {
  const [first = '', last = ''] = spec.split('-');
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? undefined : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'malformed';
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size ? undefined : { start, end };
}

/** Joins overlapping and touching ranges, so that an answer never has more bytes than the file. Keeps the order of the others. */
function join(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: ByteRange[] = [];
  for (const range of ranges) {
    const touching = joined.filter((other) => range.start <= other.end + 1 && other.start <= range.end + 1);
    const whole = touching.reduce(
      (sum, other) => ({ start: Math.min(sum.start, other.start), end: Math.max(sum.end, other.end) }),
      range,
    );
    const place = touching[0] === undefined ? joined.length : joined.indexOf(touching[0]);
    const others = joined.filter((other) => !touching.includes(other));
    joined.splice(0, joined.length, ...others.slice(0, place), whole, ...others.slice(place));
  }
  return joined;
}

/** RFC 9110 section 13.1.5: If-Range holds a strong ETag or an exact date. */
function isCurrent(ifRange: string, etag: string, modified: Date): boolean {
  return ifRange.startsWith('"') ? ifRange === etag : Date.parse(ifRange) === modified.getTime();
}
