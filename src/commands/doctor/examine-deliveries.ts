// The check of the doctor that looks at the providers of messages: which ones a node has left out and not taken back.
import type { AuditDetail } from '../../kernel/audit.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import { createOperatorPorts } from '../../store/ports.ts';
import { doubtful, type Finding, good } from './finding.ts';

const day = 86_400_000;
const mostEvents = 200;

export type ProviderEvent = { readonly kind: string; readonly detail: AuditDetail; readonly at: number };

export async function examineDeliveries(store: OpenedStore): Promise<Finding[]> {
  const { audit } = createOperatorPorts(store);
  const since = store.clock.now() - day;
  const kinds = ['provider.left-out', 'provider.taken-back'] as const;
  const lists = await Promise.all(kinds.map((kind) => audit.list({ kind, since, most: mostEvents })));
  return judgeDeliveries(lists.flat());
}

/** The last event of each provider, or of a country at it, says how it stands. The last process to say so may have ended since. */
export function judgeDeliveries(events: readonly ProviderEvent[]): Finding[] {
  const last = new Map<string, ProviderEvent>();
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    const { channel, provider, country } = event.detail;
    last.set([channel, provider, ...(country === undefined ? [] : [`for ${country}`])].join(' '), event);
  }
  const out = [...last].filter(([, { kind }]) => kind === 'provider.left-out');
  const times = events.filter(({ kind }) => kind === 'provider.left-out').length;
  if (out.length === 0)
    return times === 0 ? [] : [good('delivery', `providers were left out ${times} times in 24 hours, and taken back`)];
  return out.map(([name, { at }]) =>
    doubtful(
      'delivery',
      `${name} was left out at ${new Date(at).toISOString()} and not taken back since`,
      'ask the provider, and look at gatehouse_deliveries_total for the reason',
    ),
  );
}
