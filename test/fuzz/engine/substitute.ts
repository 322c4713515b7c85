// Replaces a value that the code found in the input by the value that it wanted, in every encoding a format may use.
import type { Chance } from '../http/chance.ts';
import { type LengthKind, resizedBy } from './lengths.ts';
import type { Comparison } from './probes.ts';

/** Replace `from` where it occurs. If it is empty, write over any place. */
type Substitution = { readonly from: Buffer; readonly to: Buffer };

type Encoding = (value: number) => Buffer | undefined;

const encodings: readonly Encoding[] = [
  ...[1, 2, 3, 4].flatMap((width): Encoding[] => [
    (value) => fixed(value, width, (bytes) => bytes.writeUIntBE(value, 0, width)),
    (value) => fixed(value, width, (bytes) => bytes.writeUIntLE(value, 0, width)),
  ]),
  (value) => fixed(value, 8, (bytes) => bytes.writeBigUInt64BE(BigInt(value))),
  (value) => fixed(value, 8, (bytes) => bytes.writeBigUInt64LE(BigInt(value))),
  (value) => Buffer.from(String(value)),
];
const mostPlaces = 32;
const triesPerWish = 12;
/** Short values are everywhere in a file, and replacing one of them rarely means anything. */
const shortest = 2;
/** Code often adds the length of a header before it compares. */
const offsets = [0, 0, 0, 0, 0, -4, 4, -8, 8, -12, 12, -1, 1, -2, 2, -10, 10];

function fixed(value: number, width: number, write: (bytes: Buffer) => void): Buffer | undefined {
  if (value < 0 || value >= 256 ** width) return undefined;
  const bytes = Buffer.alloc(width);
  write(bytes);
  return bytes;
}

/** Every substitution for which the input contains the found value. */
export function substitutionsFor(input: Buffer, comparisons: readonly Comparison[]): Substitution[] {
  const wishes = comparisons.filter(({ found }) => found === '');
  return [...comparisons, ...Array.from({ length: triesPerWish }, () => wishes).flat()].flatMap(({ found, wanted }) =>
    (typeof found === 'string'
      ? textPairs(found, String(wanted))
      : numberPairs(found, Number(wanted), found < 256 ? [0] : [0, -8, 8, -4, 4, -12])
    ).filter(({ from }) => from.length === 0 || (from.length >= shortest && input.includes(from))),
  );
}

/** One more try for a comparison, also of single bytes and of neighbours of the wanted value. */
export function substitutionBy({ found, wanted }: Comparison, chance: Chance): Substitution | undefined {
  if (typeof found === 'string') return chance.pick(textPairs(found, String(wanted)));
  const near = Number(wanted) + chance.pick([0, 0, 0, -1, 1]);
  const pairs = numberPairs(found, near, [chance.pick(offsets)]);
  return pairs.length === 0 ? undefined : chance.pick(pairs);
}

function textPairs(found: string, wanted: string): Substitution[] {
  const pair = (encoding: 'latin1' | 'utf8' | 'hex'): Substitution => ({
    from: Buffer.from(found, encoding),
    to: Buffer.from(wanted, encoding),
  });
  const isHex = /^(?:[0-9a-f]{2})+$/.test(found) && /^(?:[0-9a-f]{2})+$/.test(wanted);
  return isHex ? [pair('hex'), pair('latin1')] : [pair('latin1'), pair('utf8')];
}

function numberPairs(found: number, wanted: number, tried: readonly number[]): Substitution[] {
  const pairs: Substitution[] = [];
  for (const offset of new Set(tried)) {
    for (const encode of encodings) {
      const [from, to] = [encode(found + offset), encode(wanted + offset)];
      if (from !== undefined && to !== undefined) pairs.push({ from, to });
    }
  }
  return pairs;
}

/**
 * At one of the places where `from` occurs, often the first or the last, or at all of them. Undefined if it does not occur. Lengths
 * around a single place are adjusted most of the time.
 */
export function substitute(
  input: Buffer,
  { from, to }: Substitution,
  kinds: readonly LengthKind[],
  chance: Chance,
): Buffer | undefined {
  if (from.length === 0) return writtenOver(input, to, chance.below(input.length + 1));
  const places = placesOf(input, from);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const chosen = chance.pick([[first], [last], [chance.pick(places)], places]);
  const [start = 0] = chosen;
  if (chosen.length === 1 && from.length !== to.length && kinds.length > 0 && chance.happens(0.7))
    return resizedBy(input, { start, end: start + from.length }, to, chance.pick(kinds));
  const parts: Buffer[] = [];
  let position = 0;
  for (const at of chosen) {
    parts.push(input.subarray(position, at), to);
    position = at + from.length;
  }
  return Buffer.concat([...parts, input.subarray(position)]);
}

function writtenOver(input: Buffer, content: Buffer, at: number): Buffer {
  return Buffer.concat([input.subarray(0, at), content, input.subarray(at + content.length)]);
}

/** Without overlaps. The last one is always among them. */
function placesOf(input: Buffer, from: Buffer): number[] {
  if (from.length === 0) return [];
  const places: number[] = [];
  for (let at = input.indexOf(from); at >= 0 && places.length < mostPlaces; at = input.indexOf(from, at + from.length))
    places.push(at);
  const last = input.lastIndexOf(from);
  if (last >= (places.at(-1) ?? last) + from.length) places.push(last);
  return places;
}
