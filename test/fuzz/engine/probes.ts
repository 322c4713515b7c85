// What instrumented code calls while it runs: counts each branch, limits the work of one input, and logs compared values.

/** The code did more work than its input may cause: an endless loop, or one that grows faster than the input. */
export class TooMuchWork extends Error {
  constructor() {
    super('more work than the input may cause');
    this.name = 'TooMuchWork';
  }
}

/** A value that the code found, and the value that it wanted there. An empty text: it looked for the value anywhere. */
export type Comparison = { readonly found: number | string; readonly wanted: number | string };

export const mostBranches = 65_536;
const mostComparisons = 2_000;
/** A loop compares its counter in every round: the first rounds say enough. */
const mostAtOnePlace = 16;
const longestText = 64;
/** A set or list with more values is not worth logging. */
const mostChoices = 48;

const hits = new Uint32Array(mostBranches);
const work = new Float64Array([Number.POSITIVE_INFINITY]);
let branches = 0;
let places = 0;
const logged = new Map<number, number>();
let isLogging = false;
let seen = new Set<string>();
let comparisons: Comparison[] = [];

export function newBranch(): number {
  if (branches === mostBranches) throw new Error('too many branches to count');
  branches += 1;
  return branches - 1;
}

export function countBranches(): number {
  return branches;
}

/** A place in the source that compares values. */
export function newPlace(): number {
  places += 1;
  return places;
}

/** Runs before each input. `mostWork` counts loop rounds and calls of instrumented functions. */
export function beginInput(mostWork: number): void {
  hits.fill(0, 0, branches);
  work[0] = mostWork;
}

/** How often each branch ran since `beginInput`. Only valid until the next one. */
export function branchHits(): Uint32Array {
  return hits.subarray(0, branches);
}

export function isOverworked(): boolean {
  return (work[0] ?? 0) < 0;
}

/** Logs every comparison from now on. The returned function ends that, and returns them without repetitions. */
export function logComparisons(): () => Comparison[] {
  isLogging = true;
  seen = new Set();
  logged.clear();
  comparisons = [];
  return () => {
    isLogging = false;
    return comparisons;
  };
}

function log(found: unknown, wanted: unknown): void {
  if (comparisons.length >= mostComparisons) return;
  if (typeof found === 'bigint') {
    log(Number(found), Number(wanted));
    return;
  }
  if (!isLogged(found) || !isLogged(wanted) || found === wanted || typeof found !== typeof wanted) return;
  if (wanted === '') return;
  const key = `${found}\n${wanted}`;
  if (seen.has(key)) return;
  seen.add(key);
  comparisons.push({ found, wanted });
}

function isLogged(value: unknown): value is number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length <= longestText;
}

function isWorthLogging(place: number): boolean {
  const times = logged.get(place) ?? 0;
  logged.set(place, times + 1);
  return times < mostAtOnePlace;
}

/** Either side may come from the input. */
function logBoth(left: unknown, right: unknown, place: number): void {
  if (!isWorthLogging(place)) return;
  log(left, right);
  log(right, left);
}

function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

/** The value was looked up in, or compared with, the owner of the method. */
function logCall(method: string, owner: unknown, value: unknown, place: number): void {
  if (!isWorthLogging(place)) return;
  if (owner instanceof Set || owner instanceof Map) {
    if (owner.size <= mostChoices) for (const key of owner.keys()) log(value, key);
  } else if (Array.isArray(owner)) {
    if (owner.length <= mostChoices) for (const choice of owner) logBoth(value, choice, place);
  } else if (method === 'includes' || method === 'indexOf' || method === 'lastIndexOf') log('', textOf(value));
  else if (method === 'startsWith') log(String(owner).slice(0, String(value).length), value);
  else if (method === 'endsWith') log(String(owner).slice(-String(value).length), value);
  else if (method === 'equals') logBoth(textOf(owner), textOf(value), place);
}

type Owner = Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** Instrumented code finds these under `globalThis.fuzzProbes`. */
export const probes = {
  hits,
  work,
  over: (): never => {
    throw new TooMuchWork();
  },
  same: (left: unknown, right: unknown, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left === right;
  },
  differs: (left: unknown, right: unknown, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left !== right;
  },
  less: (left: never, right: never, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left < right;
  },
  lessOrSame: (left: never, right: never, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left <= right;
  },
  more: (left: never, right: never, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left > right;
  },
  moreOrSame: (left: never, right: never, place: number): boolean => {
    if (isLogging) logBoth(left, right, place);
    return left >= right;
  },
  call: (owner: Owner, method: string, value: unknown, place: number): unknown => {
    if (isLogging) logCall(method, owner, value, place);
    return owner[method]?.(value);
  },
  choose: <T>(value: T, choices: readonly unknown[]): T => {
    if (isLogging) for (const choice of choices) log(value, choice);
    return value;
  },
};
