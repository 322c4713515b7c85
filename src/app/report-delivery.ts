// Composition: what delivery reports goes into the metrics, the log and the list of providers.
import type { DatedEvent } from '../kernel/audit.ts';
import type { Log } from '../kernel/telemetry.ts';
import type { ProviderBoard } from '../messages/provider-board.ts';
import type { Metrics } from './metrics/metric-definitions.ts';
import type { DeliveryReports } from './start-delivery.ts';

type Parts = Pick<DeliveryReports, 'announce'> & {
  readonly metrics: Pick<Metrics, 'count' | 'observe'>;
  readonly log: Log;
  readonly providers: ProviderBoard;
  /** So that staff and the doctor see what every node has noticed. */
  readonly record: (event: DatedEvent) => Promise<void>;
};

export function reportDelivery({ metrics, log, announce, providers, record }: Parts): DeliveryReports {
  return {
    announce,
    reportWebhook: ({ outcome, seconds, ...rest }) => {
      metrics.count('webhooks', { outcome });
      if (outcome === 'delivered') metrics.observe('webhook_seconds', {}, seconds);
      log[outcome === 'delivered' ? 'debug' : 'warn']('webhook', { outcome, seconds, ...rest });
    },
    report: ({ channel, provider, outcome, seconds, error }) => {
      metrics.count('deliveries', { channel, provider, outcome });
      if (outcome === 'accepted') metrics.observe('delivery_seconds', { channel }, seconds);
      log.info('delivery', { channel, provider, outcome, seconds, ...(error !== undefined && { reason: error }) });
    },
    onProvider: (change) => {
      const { channel, provider, country, state, since: now } = change;
      providers.note(change);
      const scope = country === undefined ? 'provider' : 'country';
      metrics.count('provider_changes', { channel, provider, scope, state });
      const where = { channel, provider, ...(country !== undefined && { country }) };
      const kind = state === 'closed' ? 'provider.taken-back' : 'provider.left-out';
      record({ kind, detail: { ...where, state }, now }).catch((error) => log.warn('audit', { error }));
      if (state === 'closed') log.info('provider taken back', where);
      else log.warn('provider left out', { ...where, reason: state });
    },
  };
}
