// Changes an input a little, in ways that formats and texts are sensitive to. Everything follows from the chance.
import type { Chance } from '../http/chance.ts';
import { findPart, type LengthKind, resized, resizedBy } from './lengths.ts';
import type { Comparison } from './probes.ts';
import { substitute, substitutionBy } from './substitute.ts';

export type Surroundings = {
  readonly chance: Chance;
  /** Places where a change is known to have an effect. */
  readonly hotPlaces: readonly number[];
  readonly comparisons: readonly Comparison[];
  /** Words of the format. */
  readonly words: readonly Buffer[];
  /** Texts and numbers in the sources that the input reaches. */
  readonly dictionary: readonly Buffer[];
  /** Another input, to take parts from. */
  readonly other: Buffer;
  readonly longest: number;
  readonly lengthKinds: readonly LengthKind[];
};

type Change = (input: Buffer, surroundings: Surroundings) => Buffer;

const oddBytes = [0, 1, 2, 0x7f, 0x80, 0xff, 0x20, 0x0a, 0x0d, 0x22, 0x2d, 0x30, 0x3c];
const oddNumbers = [0, 1, 2, 7, 8, 16, 127, 128, 255, 256, 1023, 1024, 4096, 32_767, 32_768, 65_535, 65_536, 100_001];
const widest = [0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff, 0x00ff_ffff, 0x0100_0000];
const mostChanges = 6;

/** One to six changes, most often one or two. Never longer than allowed. */
export function mutate(input: Buffer, surroundings: Surroundings): Buffer {
  const { chance, longest } = surroundings;
  let result = input;
  for (let count = 0; count < mostChanges; count++) {
    result = chance.pick(changes)(result, surroundings);
    if (chance.happens(0.45)) break;
  }
  return result.length > longest ? result.subarray(0, longest) : result;
}

function place({ length }: Buffer, { chance, hotPlaces }: Surroundings): number {
  const hot = hotPlaces.length > 0 && chance.happens(0.7) ? chance.pick(hotPlaces) : chance.below(length + 1);
  return Math.min(hot, length);
}

/** Most parts are short, some are long. */
function span(input: Buffer, surroundings: Surroundings): { start: number; end: number } {
  const { chance } = surroundings;
  const start = place(input, surroundings);
  const most = chance.pick([1, 2, 4, 8, 16, 64, 512]);
  return { start, end: Math.min(input.length, start + 1 + chance.below(most)) };
}

function spliced(input: Buffer, start: number, end: number, content: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, start), content, input.subarray(end)]);
}

const flipBit: Change = (input, surroundings) => {
  const at = place(input, surroundings);
  const copy = Buffer.from(input);
  if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << surroundings.chance.below(8));
  return copy;
};

const setByte: Change = (input, surroundings) => {
  const { chance } = surroundings;
  const at = place(input, surroundings);
  const copy = Buffer.from(input);
  if (at < copy.length) copy[at] = chance.happens(0.5) ? chance.pick(oddBytes) : chance.below(256);
  return copy;
};

/** Reads a number, changes it a little or replaces it, and writes it back in the same form. */
const changeNumber: Change = (input, surroundings) => {
  const { chance } = surroundings;
  const [at, width, isLittle] = [place(input, surroundings), chance.pick([1, 2, 3, 4]), chance.happens(0.5)];
  if (at + width > input.length) return input;
  const copy = Buffer.from(input);
  const value = isLittle ? copy.readUIntLE(at, width) : copy.readUIntBE(at, width);
  const odd = chance.happens(0.7) ? chance.pick(oddNumbers) : chance.pick(widest);
  const next = chance.happens(0.5) ? value + chance.below(35) - 17 : chance.happens(0.2) ? input.length - at : odd;
  const wrapped = ((next % 256 ** width) + 256 ** width) % 256 ** width;
  if (isLittle) copy.writeUIntLE(wrapped, at, width);
  else copy.writeUIntBE(wrapped, at, width);
  return copy;
};

const changeDecimal: Change = (input, { chance }) => {
  const numbers = [...input.toString('latin1').matchAll(/\d+/g)];
  if (numbers.length === 0) return input;
  const { index, 0: digits } = chance.pick(numbers);
  const value = Number(digits);
  const next = chance.pick([
    value + 1,
    value - 1,
    value * 10,
    chance.pick(oddNumbers),
    input.length,
    0,
    value + chance.below(64),
  ]);
  const text = String(Math.max(0, Math.min(next, Number.MAX_SAFE_INTEGER)));
  const padded = chance.happens(0.5) ? text.padStart(digits.length, '0') : text;
  return spliced(input, index, index + digits.length, Buffer.from(padded));
};

const writeWord: Change = (input, surroundings) => {
  const { chance, dictionary, words } = surroundings;
  const choices = words.length > 0 && chance.happens(0.35) ? words : dictionary;
  if (choices.length === 0) return input;
  const word = chance.pick(choices);
  const at = place(input, surroundings);
  return spliced(input, at, chance.happens(0.5) ? at : Math.min(input.length, at + word.length), word);
};

const useComparison: Change = (input, { chance, comparisons, lengthKinds }) => {
  if (comparisons.length === 0) return input;
  const substitution = substitutionBy(chance.pick(comparisons), chance);
  return (substitution && substitute(input, substitution, lengthKinds, chance)) ?? input;
};

const remove: Change = (input, surroundings) => {
  const { start, end } = span(input, surroundings);
  return spliced(input, start, end, Buffer.alloc(0));
};

const insertNoise: Change = (input, surroundings) => {
  const { chance } = surroundings;
  const at = place(input, surroundings);
  const length = 1 + chance.below(chance.pick([1, 4, 16, 128]));
  const content = chance.happens(0.5) ? chance.bytes(length) : Buffer.alloc(length, chance.pick(oddBytes));
  return spliced(input, at, at, content);
};

const repeat: Change = (input, surroundings) => {
  const { start, end } = span(input, surroundings);
  const part = input.subarray(start, end);
  const times = 1 + surroundings.chance.below(surroundings.chance.pick([1, 2, 40]));
  return spliced(input, end, end, Buffer.concat(Array.from({ length: times }, () => part)));
};

const copyOver: Change = (input, surroundings) => {
  const { start, end } = span(input, surroundings);
  const to = place(input, surroundings);
  return spliced(input, to, Math.min(input.length, to + end - start), input.subarray(start, end));
};

const takeFromOther: Change = (input, surroundings) => {
  const { chance, other } = surroundings;
  const { start, end } = span(input, surroundings);
  const from = chance.below(other.length + 1);
  const to = Math.min(other.length, from + chance.below(chance.pick([4, 32, 512])));
  return spliced(input, start, chance.happens(0.5) ? start : end, other.subarray(from, to));
};

const cross: Change = (input, surroundings) => {
  const at = place(input, surroundings);
  const from = surroundings.chance.happens(0.5) ? at : surroundings.chance.below(surroundings.other.length + 1);
  return Buffer.concat([input.subarray(0, at), surroundings.other.subarray(from)]);
};

const cut: Change = (input, surroundings) => input.subarray(0, place(input, surroundings));

const resize: Change = (input, surroundings) => {
  const { chance, lengthKinds } = surroundings;
  const extent = span(input, surroundings);
  const length = chance.below(chance.pick([2, 8, 64]));
  const content = chance.happens(0.4) ? Buffer.alloc(0) : chance.bytes(length);
  const replaced = chance.happens(0.5) ? extent : { start: extent.start, end: extent.start };
  return resized(input, replaced, content, lengthKinds, chance);
};

/** Removes or repeats a whole part of the file, or takes one from another file, and adjusts the lengths around it. */
const changePart: Change = (input, surroundings) => {
  const { chance, other, lengthKinds } = surroundings;
  const part = findPart(input, place(input, surroundings), lengthKinds, chance);
  if (part === undefined) return input;
  const own = input.subarray(part.start, part.end);
  const foreign = findPart(other, chance.below(other.length + 1), lengthKinds, chance);
  const theirs = foreign === undefined ? own : other.subarray(foreign.start, foreign.end);
  const content = chance.pick([Buffer.alloc(0), Buffer.concat([own, own]), Buffer.concat([own, theirs]), theirs]);
  return resizedBy(input, part, content, part.kind);
};

/** Leaves only the first bytes of the content of a part. Short content is where readers forget to look at its length. */
const shortenPart: Change = (input, surroundings) => {
  const { chance, lengthKinds } = surroundings;
  const part = findPart(input, place(input, surroundings), lengthKinds, chance);
  if (part === undefined) return input;
  const { start, end } = part.content;
  const kept = chance.below(Math.min(end - start, 24) + 1);
  return resizedBy(input, { start: start + kept, end }, Buffer.alloc(0), part.kind);
};

/** A change that is listed twice is chosen twice as often. */
const changes: readonly Change[] = [
  flipBit,
  setByte,
  setByte,
  changeNumber,
  changeNumber,
  changeNumber,
  changeDecimal,
  writeWord,
  writeWord,
  useComparison,
  useComparison,
  useComparison,
  remove,
  insertNoise,
  repeat,
  copyOver,
  takeFromOther,
  cross,
  cut,
  resize,
  resize,
  changePart,
  changePart,
  shortenPart,
  shortenPart,
];
