// One race of two processes: how a round is prepared, and the call that each side makes in it.
import type { Ports } from '../../src/store/ports.ts';

export type Race = {
  /** Done by a third party before the round. */
  prepare?(ports: Ports, round: number): Promise<unknown>;
  /** What one side (0 or 1) got out of its call, in a word that the test can count. */
  run(ports: Ports, round: number, side: number): Promise<string>;
};
