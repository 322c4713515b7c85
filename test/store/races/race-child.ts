// One of two racing processes: opens the store and makes its call in every requested round.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOperatorPorts, createPorts } from '../../../src/store/ports.ts';
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import { noting } from '../../helpers/store/noting.ts';
import { openNode } from '../../helpers/store/open-node.ts';
import { allRaces, type RaceName } from './racing.ts';

const [kind, address, sideText] = process.argv.slice(2) as [StoreKind, string, string];
const side = Number(sideText);
const store = await openNode(kind, address, (error) => process.stderr.write(`${error.message}\n`));
const ports = { ...noting(createPorts(store)), ...createOperatorPorts(store) };

process.on('message', async ({ race, rounds }: { race: RaceName; rounds: number[] }) => {
  const outcomes: Promise<[number, string]>[] = [];
  for (const round of shuffled(rounds)) {
    outcomes.push(
      allRaces[race].run(ports, round, side).then(
        (outcome) => [round, outcome],
        (error: Error) => [round, `failed: ${error.message}`],
      ),
    );
    // Some calls are sent alone, most in small groups, so that batches of the two sides overlap in every way.
    if (Math.random() < 0.3) await nextTurn();
  }
  const known = new Map(await Promise.all(outcomes));
  process.send?.(rounds.map((round) => known.get(round)));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

function shuffled(rounds: readonly number[]): number[] {
  return rounds
    .map((round) => ({ round, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ round }) => round);
}
