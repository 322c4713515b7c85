// What the service tells its operator: log lines and figures. Never a code, a token, a phone number or an address.
import type { CounterLabels, CounterName, HistogramLabels, HistogramName } from './metrics.ts';

export type Facts = Readonly<Record<string, unknown>>;

export type Log = {
  debug(event: string, facts?: Facts): void;
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  error(event: string, facts?: Facts): void;
};

export type Metrics = {
  /** An answered request, by route pattern. */
  request(facts: { method: string; route: string; status: number; seconds: number }): void;
  /** Adds to a figure of the table; its words name no person. */
  count<N extends CounterName>(name: N, labels: CounterLabels<N>, by?: number): void;
  observe<N extends Exclude<HistogramName, 'request_seconds'>>(
    name: N,
    labels: HistogramLabels<N>,
    value: number,
  ): void;
};
