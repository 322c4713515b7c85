// Composition: what delivery reports goes into the metrics, the log and the list of providers.
import type { Log } from '../kernel/process/telemetry.ts';
import { channels } from '../messages/channel.ts';
import type { ProviderBoard } from '../messages/delivery/provider-board.ts';
import type { Metrics } from './metrics/metric-definitions.ts';
import type { DeliveryReports } from './start-delivery.ts';

type Parts = Pick<DeliveryReports, 'announce'> & {
  readonly metrics: Pick<Metrics, 'count' | 'observe'>;
  readonly log: Log;
  readonly providers: ProviderBoard;
};

export function reportDelivery({ metrics, log, announce, providers }: Parts): DeliveryReports {
  // Prometheus sees an increase only from a first value on, and the first message that is given up must count.
  for (const channel of channels) metrics.count('deliveries', { channel, provider: 'outbox', outcome: 'parked' }, 0);
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
      const { channel, provider, country, state } = change;
      providers.note(change);
      const scope = country === undefined ? 'provider' : 'country';
      metrics.count('provider_changes', { channel, provider, scope, state });
      const where = { channel, provider, ...(country !== undefined && { country }) };
      if (state === 'closed') log.info('provider taken back', where);
      else log.warn('provider left out', { ...where, reason: state });
    },
    onExit: providers.clear,
  };
}
