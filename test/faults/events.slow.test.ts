// Readers of events under long load of eight processes, with many kills: every event exactly once, each user's in order.
import { it } from 'node:test';
import { rounds } from '../helpers/faults/rounds.ts';
import { checkReader, runLoad } from '../helpers/store/event-load.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';

onEveryStore('readers of events under long load', (open) => {
  it('readers get every event of eight processes once and in order, while processes are killed again and again', async (context) => {
    const { readers, ...truth } = await runLoad(open(), { kills: rounds(8), eventsBetweenKills: 100 });
    for (const reader of readers) checkReader(reader, truth);
    context.diagnostic(`${truth.rows.size} events, the true order of ${truth.trueOrder.length} known`);
  });
});
