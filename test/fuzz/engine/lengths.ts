// Edits that keep a binary format whole: finds the length fields around a place, and adjusts them to what is inserted or removed there.
import type { Chance } from '../http/chance.ts';

/** How a format writes lengths. */
export type LengthKind = {
  readonly width: 1 | 2 | 4;
  readonly isLittle: boolean;
  /** From the end of the field to the first byte that it counts, such as 4 for a type between them. Negative: it counts itself. */
  readonly gap: number;
  /** Added to every length, such as the mark of a length in WebM. */
  readonly bias?: number;
  /** Bytes of the same part before the field, and after what it counts, such as a type and a checksum. */
  readonly before?: number;
  readonly after?: number;
};

type Field = LengthKind & { readonly at: number; readonly value: number };

/** A part of the file that a length field covers. */
type Extent = { readonly start: number; readonly end: number };

/** Fields further back do not count the bytes of this place, except at the very start of the file. */
const searchedBytes = 2_048;
const headBytes = 16;
/** For formats that say nothing about their lengths. */
const usualKinds: readonly LengthKind[] = [1, 2, 4].flatMap((width) =>
  [0, -width].flatMap((gap) =>
    [false, true].map((isLittle) => ({ width: width as LengthKind['width'], isLittle, gap })),
  ),
);

/** Replaces a part of the file by other bytes. Fields that seem to count the part are adjusted. */
export function resized(
  input: Buffer,
  extent: Extent,
  content: Buffer,
  kinds: readonly LengthKind[],
  chance: Chance,
): Buffer {
  return resizedBy(input, extent, content, pickKind(kinds, chance));
}

export function resizedBy(input: Buffer, { start, end }: Extent, content: Buffer, kind: LengthKind): Buffer {
  const change = content.length - (end - start);
  const copy = Buffer.from(input);
  if (change !== 0) for (const field of fieldsAround(input, start, end, kind)) write(copy, field, field.value + change);
  return Buffer.concat([copy.subarray(0, start), content, copy.subarray(end)]);
}

function pickKind(kinds: readonly LengthKind[], chance: Chance): LengthKind {
  return chance.pick(kinds.length === 0 || chance.happens(0.1) ? usualKinds : kinds);
}

/** Fields of one kind that do not overlap. */
function fieldsAround(input: Buffer, start: number, end: number, kind: LengthKind): Field[] {
  const found: Field[] = [];
  const from = Math.max(0, start - searchedBytes);
  let next = 0;
  for (let at = 0; at + kind.width <= start; at++) {
    if (at === headBytes) at = Math.max(at, from);
    const value = at < next ? 0 : read(input, at, kind);
    const first = at + kind.width + kind.gap;
    const isAround = value > 0 && first <= start && first + value >= end && first + value <= input.length;
    if (!isAround) continue;
    found.push({ ...kind, at, value });
    next = at + kind.width;
  }
  return found;
}

/** A part of the file near a place, that a length field seems to describe. */
type Part = Extent & { readonly content: Extent; readonly kind: LengthKind };

export function findPart(input: Buffer, near: number, kinds: readonly LengthKind[], chance: Chance): Part | undefined {
  for (let tries = 0; tries < 24; tries++) {
    const kind = pickKind(kinds, chance);
    const at = near - 12 + chance.below(24);
    if (at < 0 || at + kind.width > input.length) continue;
    const first = at + kind.width + kind.gap;
    const content = { start: Math.max(first, at + kind.width), end: first + read(input, at, kind) };
    const [start, end] = [at - (kind.before ?? 0), content.end + (kind.after ?? 0)];
    if (start >= 0 && end <= input.length && content.end > content.start) return { start, end, content, kind };
  }
  return undefined;
}

function read(input: Buffer, at: number, { width, isLittle, bias = 0 }: LengthKind): number {
  return (isLittle ? input.readUIntLE(at, width) : input.readUIntBE(at, width)) - bias;
}

function write(input: Buffer, { at, width, isLittle, bias = 0 }: Field, length: number): void {
  const value = length + bias;
  if (value < 0 || value >= 256 ** width) return;
  if (isLittle) input.writeUIntLE(value, at, width);
  else input.writeUIntBE(value, at, width);
}
