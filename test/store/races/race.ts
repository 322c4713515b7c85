// One race of two processes: how a round is prepared, and the call that each side makes in it.
import type { OperatorPorts, Ports } from '../../../src/store/ports.ts';

export type RacePorts = Ports & Pick<OperatorPorts, 'directory'>;

export type Race = {
  /** Done by the test process before the round. */
  prepare?(ports: Ports, round: number): Promise<unknown>;
  /** Done once, after every round is prepared. */
  readonly sql?: string;
  /** The outcome of one side (0 or 1) as a word that the test can count. */
  run(ports: RacePorts, round: number, side: number): Promise<string>;
};
