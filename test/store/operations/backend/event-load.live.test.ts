// Readers of events under the load of eight processes, some of which are killed: every event exactly once, each user's in order.
import { it } from 'node:test';
import { checkReader, runLoad } from '../../../helpers/store/event-load.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

onEveryStore('readers of events', (open) => {
  it('readers get every event of eight processes once and in order, while some processes are killed', async (context) => {
    const { readers, ...truth } = await runLoad(open(), { kills: 3, eventsBetweenKills: 60 });
    for (const reader of readers) checkReader(reader, truth);
    context.diagnostic(`${truth.rows.size} events, the true order of ${truth.trueOrder.length} known`);
  });
});
