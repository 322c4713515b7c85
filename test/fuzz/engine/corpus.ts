// The inputs that reached something new, and the choice of the next one to change: rare branches get more tries.
import type { Chance } from '../http/chance.ts';
import { branchOf, mostFeatures } from './execute.ts';
import type { Comparison } from './probes.ts';

export type Entry = {
  readonly input: Buffer;
  readonly features: readonly number[];
  hotPlaces: readonly number[];
  comparisons: readonly Comparison[];
  picks: number;
};

/** After so many picks the weights are computed anew. */
const picksPerWeighing = 256;

export class Corpus {
  readonly entries: Entry[] = [];
  readonly #shortest = new Map<number, Entry>();
  readonly #runs = new Uint32Array(mostFeatures);
  #executions = 0;
  #weights: number[] = [];
  #sum = 0;
  #picksLeft = 0;

  get features(): number {
    return this.#shortest.size;
  }

  get branches(): number {
    return new Set([...this.#shortest.keys()].map(branchOf)).size;
  }

  /** The features that no entry has yet. */
  unseen(features: readonly number[]): number[] {
    this.#executions += 1;
    const fresh: number[] = [];
    for (const feature of features) {
      this.#runs[feature] = this.#runsOf(feature) + 1;
      if (!this.#shortest.has(feature)) fresh.push(feature);
    }
    return fresh;
  }

  add(input: Buffer, features: readonly number[]): Entry {
    const entry: Entry = { input: Buffer.from(input), features, hotPlaces: [], comparisons: [], picks: 0 };
    this.entries.push(entry);
    for (const feature of features) {
      const held = this.#shortest.get(feature);
      if (held === undefined || held.input.length > input.length) this.#shortest.set(feature, entry);
    }
    this.#picksLeft = 0;
    return entry;
  }

  pick(chance: Chance): Entry {
    if (this.#picksLeft === 0) this.#weigh();
    this.#picksLeft -= 1;
    let left = (chance.below(2 ** 30) / 2 ** 30) * this.#sum;
    const index = this.#weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    const entry = this.entries[index < 0 ? this.entries.length - 1 : index];
    if (entry === undefined) throw new Error('no input to start from');
    entry.picks += 1;
    return entry;
  }

  /** The fewest and shortest inputs that together have every feature. */
  smallest(): Buffer[] {
    const left = new Set(this.#shortest.keys());
    const chosen: Buffer[] = [];
    const byRarity = [...left].sort((one, other) => this.#runsOf(one) - this.#runsOf(other));
    for (const feature of byRarity) {
      const entry = this.#shortest.get(feature);
      if (entry === undefined || !left.has(feature)) continue;
      chosen.push(entry.input);
      for (const covered of entry.features) left.delete(covered);
    }
    return chosen.sort((one, other) => one.length - other.length || one.compare(other));
  }

  #runsOf(feature: number): number {
    return this.#runs[feature] ?? 0;
  }

  /** An entry is worth more if it is the shortest one for some feature, reaches rare features, and was picked seldom. */
  #weigh(): void {
    this.#picksLeft = picksPerWeighing;
    const favoured = new Set(this.#shortest.values());
    this.#weights = this.entries.map((entry) => {
      const rarest = entry.features.reduce(
        (fewest, feature) => Math.min(fewest, this.#runsOf(feature)),
        this.#executions,
      );
      const rarity = 1 + Math.log2((this.#executions + 1) / (rarest + 1));
      return ((favoured.has(entry) ? 4 : 1) * rarity) / (1 + Math.sqrt(entry.picks));
    });
    this.#sum = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }
}
