// Keeps the standing of this process in the store while it leaves a provider out, and takes it away when all is well.
import type { Clock } from '../../kernel/clock.ts';
import type { NodeStanding, StandingStore } from './node-standing.ts';
import type { ProviderBoard } from './provider-board.ts';

type Deps = {
  readonly standings: StandingStore;
  readonly providers: Pick<ProviderBoard, 'list'>;
  readonly clock: Clock;
  /** Names this process among all. */
  readonly node: string;
};

type StandingNotes = {
  renew(): Promise<void>;
  end(): Promise<void>;
};

export function createStandingNotes({ standings, providers, clock, node }: Deps): StandingNotes {
  let mayBeNoted = false;
  const note = async (omissions: NodeStanding['omissions']) => {
    if (omissions.length === 0 && !mayBeNoted) return;
    // Before the call: nobody knows what one that fails has written.
    mayBeNoted = true;
    await standings.note({ node, omissions, seenAt: clock.now() });
    mayBeNoted = omissions.length > 0;
  };
  return { renew: () => note(providers.list()), end: () => note([]) };
}
