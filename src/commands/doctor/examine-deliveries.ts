// The check of the doctor that looks at the providers of messages: which ones the running nodes leave out.
import { type LeftOutProvider, mergeStandings } from '../../messages/delivery/node-standing.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import { createOperatorPorts } from '../../store/ports.ts';
import { doubtful, type Finding } from './finding.ts';

export async function examineDeliveries(store: OpenedStore): Promise<Finding[]> {
  const { standings } = createOperatorPorts(store);
  const now = store.clock.now();
  return mergeStandings(await standings.list({ now }), now).map(judgeLeftOut);
}

export function judgeLeftOut({ channel, provider, countries, nodes, since }: LeftOutProvider): Finding {
  const where = countries.length === 0 ? '' : ` for ${countries.join(', ')}`;
  const who = nodes === 1 ? '1 node' : `${nodes} nodes`;
  return doubtful(
    'delivery',
    `${channel} ${provider} is left out${where} on ${who} since ${new Date(since).toISOString()}: it fails, hangs or asked to wait`,
    'ask the provider, and look at gatehouse_deliveries_total for the reason',
  );
}
