// A fault to plant, the target that must find it, and what it must report.
import type { PlantedFault } from './engine/load-instrumented.ts';

export type KnownFault = PlantedFault & {
  readonly name: string;
  readonly target: string;
  /** What the search must report. */
  readonly signature: RegExp;
};
