// The search: changes inputs of the corpus, keeps what reaches something new, and reports what breaks a promise.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Chance, createChance } from '../http/chance.ts';
import { Corpus, type Entry } from './corpus.ts';
import {
  branchOf,
  checkMemory,
  checkTime,
  comparisonsOf,
  execute,
  featuresNow,
  type Outcome,
  OverBound,
  signatureOf,
} from './execute.ts';
import type { Literals } from './instrument.ts';
import { resizedBy } from './lengths.ts';
import { minimise, removed } from './minimise.ts';
import { mutate, type Surroundings } from './mutate.ts';
import type { Comparison } from './probes.ts';
import { substitute, substitutionsFor } from './substitute.ts';
import type { FuzzTarget } from './target.ts';

type FuzzOptions = {
  readonly seed: number;
  /** Inputs to start from, besides none. */
  readonly inputs: readonly Buffer[];
  readonly literals: readonly Literals[];
  readonly mostExecutions: number;
  readonly mostSeconds?: number;
  /** Ends the search. */
  readonly mostFindings?: number;
  /** False: keeps nothing that reaches something new. For comparison only. */
  readonly isGuided?: boolean;
};

export type Finding = {
  readonly signature: string;
  readonly error: Error;
  readonly input: Buffer;
  /** How many inputs had been run, and for how long. */
  readonly executions: number;
  readonly seconds: number;
};

export type FuzzReport = {
  readonly executions: number;
  readonly seconds: number;
  readonly accepted: number;
  readonly branches: number;
  readonly features: number;
  readonly corpus: readonly Buffer[];
  readonly findings: readonly Finding[];
};

const picksPerRound = 8;
const childrenPerPick = 32;
const mostComparisons = 400;
const mostSubstitutions = 160;
const mostFlips = 512;
const trimTries = 200;
const findingTries = 3_000;
const executionsPerMemoryCheck = 50_000;
const mostGrowthBytes = 96 * 2 ** 20;
const slowMilliseconds = 250;

/** An entry that was not explored yet, and what it was kept for. */
type Fresh = { readonly entry: Entry; readonly unseen: readonly number[] };

export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzReport> {
  return new Search(target, options).run();
}

class Search {
  readonly #target: FuzzTarget;
  readonly #options: FuzzOptions;
  readonly #chance: Chance;
  readonly #corpus = new Corpus();
  #unused: readonly Literals[];
  readonly #words: readonly Buffer[];
  #dictionary: readonly Buffer[] = [];
  readonly #findings = new Map<string, Finding>();
  readonly #startedAt = performance.now();
  #executions = 0;
  #accepted = 0;
  #heldBytes = 0;
  #fresh: Fresh[] = [];

  constructor(target: FuzzTarget, options: FuzzOptions) {
    this.#target = target;
    this.#options = options;
    this.#chance = createChance(options.seed);
    this.#unused = options.literals;
    this.#words = dictionaryOf(target.words ?? []);
  }

  async run(): Promise<FuzzReport> {
    for (const input of this.#options.inputs) await this.#try(input, true);
    if (this.#corpus.entries.length === 0) await this.#try(Buffer.alloc(0), true);
    this.#heldBytes = heldBytes();
    while (!this.#isOver()) {
      const fresh = this.#fresh.shift();
      if (fresh !== undefined) await this.#explore(fresh);
      for (let picks = 0; picks < picksPerRound && !this.#isOver(); picks++)
        await this.#change(this.#corpus.pick(this.#chance));
    }
    return {
      executions: this.#executions,
      seconds: this.#seconds(),
      accepted: this.#accepted,
      branches: this.#corpus.branches,
      features: this.#corpus.features,
      corpus: this.#corpus.smallest(),
      findings: [...this.#findings.values()],
    };
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  #isOver(): boolean {
    const { mostExecutions, mostSeconds = Number.POSITIVE_INFINITY, mostFindings = 25 } = this.#options;
    return this.#executions >= mostExecutions || this.#findings.size >= mostFindings || this.#seconds() >= mostSeconds;
  }

  async #execute(input: Buffer): Promise<Outcome> {
    this.#executions += 1;
    const before = performance.now();
    const running = execute(this.#target, input);
    const outcome = running instanceof Promise ? await running : running;
    const milliseconds = performance.now() - before;
    if (outcome.verdict === 'broken') await this.#report(input, outcome.error);
    else if (outcome.verdict === 'accepted') this.#accepted += 1;
    if (milliseconds > slowMilliseconds) {
      const slow = await checkTime(this.#target, input, milliseconds);
      if (slow?.verdict === 'broken') await this.#report(input, slow.error);
    }
    if (this.#executions % executionsPerMemoryCheck === 0) await this.#checkGrowth(input);
    return outcome;
  }

  /** Runs an input, and keeps it if it reaches something new. */
  async #try(input: Buffer, isGiven = false): Promise<void> {
    const outcome = await this.#execute(input);
    if (outcome.verdict === 'broken') return;
    const features = featuresNow();
    const unseen = this.#corpus.unseen(features);
    const isKept = unseen.length > 0 && (this.#options.isGuided !== false || isGiven);
    if (!isKept) return;
    this.#fresh.push({ entry: this.#corpus.add(input, features), unseen });
    this.#learnWords(unseen);
  }

  /** The words of a source are worth trying as soon as one of its branches is reached. */
  #learnWords(features: readonly number[]): void {
    const branches = features.map(branchOf);
    const isReached = ({ firstBranch, endBranch }: Literals) =>
      branches.some((branch) => branch >= firstBranch && branch < endBranch);
    const reached = this.#unused.filter(isReached);
    if (reached.length === 0) return;
    this.#unused = this.#unused.filter((source) => !reached.includes(source));
    this.#dictionary = [...this.#dictionary, ...dictionaryOf(reached.flatMap(({ values }) => values))];
  }

  /** Keeps what the entry was kept for. */
  async #shorten({ entry, unseen }: Fresh): Promise<Entry> {
    const holds = async (candidate: Buffer) => {
      const outcome = await this.#execute(candidate);
      if (outcome.verdict === 'broken') return false;
      const features = new Set(featuresNow());
      return unseen.every((feature) => features.has(feature));
    };
    const shorter = await minimise(entry.input, { holds, without: this.#without, tries: trimTries });
    if (shorter.equals(entry.input)) return entry;
    await this.#execute(shorter);
    return this.#corpus.add(shorter, featuresNow());
  }

  /** Simply removed, or with the lengths around the place adjusted and everything repaired. */
  readonly #without = (input: Buffer, start: number, end: number): Buffer[] => {
    const { lengthKinds = [], repair } = this.#target;
    const plain = removed(input, start, end);
    const whole = lengthKinds.map((kind) => resizedBy(input, { start, end }, Buffer.alloc(0), kind));
    return repair === undefined ? [plain, ...whole] : [plain, repair(plain), ...whole.map((bytes) => repair(bytes))];
  };

  /** What a new entry shows at once: a shorter one, which values the code compares, and which places matter. */
  async #explore(fresh: Fresh): Promise<void> {
    const { input } = fresh.entry;
    const excess = await checkMemory(this.#target, input);
    if (excess?.verdict === 'broken') await this.#report(input, excess.error);
    if (this.#options.isGuided === false) return;
    const entry = await this.#shorten(fresh);
    // Copied: a text that was cut out of a long one would keep the long one in memory.
    const comparisons = structuredClone(evenly(await comparisonsOf(this.#target, entry.input), mostComparisons));
    entry.comparisons = comparisons;
    const isText = ({ found }: Comparison) => typeof found === 'string';
    // A text says more than a number, which may be anything.
    const substitutions = [comparisons.filter(isText), comparisons.filter((comparison) => !isText(comparison))].flatMap(
      (list) => evenly(substitutionsFor(entry.input, list), mostSubstitutions),
    );
    for (const substitution of substitutions) {
      if (this.#isOver()) return;
      const changed = substitute(entry.input, substitution, this.#target.lengthKinds ?? [], this.#chance);
      if (changed !== undefined) await this.#try(this.#repair(changed));
    }
    entry.hotPlaces = await this.#findHotPlaces(entry);
  }

  /** Where a change matters although everything is repaired after it. */
  async #findHotPlaces({ input, features }: Entry): Promise<number[]> {
    const hot: number[] = [];
    const { repair = (bytes: Buffer) => bytes } = this.#target;
    for (const at of evenly([...input.keys()], mostFlips)) {
      if (this.#isOver()) return hot;
      const flipped = Buffer.from(input);
      flipped[at] = (flipped[at] ?? 0) ^ 0xff;
      await this.#try(repair(flipped));
      if (!isSameList(featuresNow(), features)) hot.push(at);
    }
    return hot;
  }

  async #change(entry: Entry): Promise<void> {
    const chance = this.#chance;
    for (let child = 0; child < childrenPerPick && !this.#isOver(); child++) {
      const other = chance.pick(this.#corpus.entries).input;
      const changed = mutate(entry.input, this.#surroundings(entry, other));
      await this.#try(this.#repair(changed));
    }
  }

  /** Most often: an input with a wrong checksum is worth a try as well. */
  #repair(input: Buffer): Buffer {
    return this.#target.repair !== undefined && this.#chance.happens(0.75) ? this.#target.repair(input) : input;
  }

  #surroundings({ hotPlaces, comparisons }: Entry, other: Buffer): Surroundings {
    const { longest, lengthKinds = [] } = this.#target;
    const [words, dictionary] = [this.#words, this.#dictionary];
    return { chance: this.#chance, hotPlaces, comparisons, words, dictionary, other, longest, lengthKinds };
  }

  async #report(input: Buffer, error: Error): Promise<void> {
    const signature = signatureOf(error);
    if (this.#findings.has(signature)) return;
    const found = { signature, error, executions: this.#executions, seconds: this.#seconds() };
    this.#findings.set(signature, { ...found, input });
    // A bound on time or memory cannot be checked thousands of times.
    if (error instanceof OverBound) return;
    const shows = async (candidate: Buffer) => {
      const outcome = await execute(this.#target, candidate);
      return outcome.verdict === 'broken' && signatureOf(outcome.error) === signature;
    };
    const smallest = await minimise(input, { holds: shows, without: this.#without, tries: findingTries });
    this.#findings.set(signature, { ...found, input: smallest });
  }

  /** What stays in memory after an input belongs to the corpus, and that is small. */
  async #checkGrowth(input: Buffer): Promise<void> {
    const growth = heldBytes() - this.#heldBytes;
    if (growth > mostGrowthBytes) await this.#report(input, new OverBound('memory grows from input to input'));
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/** At most so many, from all over the list. */
function evenly<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, index) => list[Math.floor(index * step)] as T);
}

function dictionaryOf(words: readonly (string | number)[]): Buffer[] {
  const known = new Map<string, Buffer>();
  const add = (bytes: Buffer) => known.set(bytes.toString('latin1'), bytes);
  for (const word of words) {
    if (typeof word === 'string') add(Buffer.from(word));
    else if (word < 2 ** 32) {
      const width = word < 256 ? 1 : word < 65_536 ? 2 : 4;
      for (const write of ['writeUIntBE', 'writeUIntLE'] as const) {
        const bytes = Buffer.alloc(width);
        bytes[write](word, 0, width);
        add(bytes);
      }
    }
  }
  return [...known.values()];
}
