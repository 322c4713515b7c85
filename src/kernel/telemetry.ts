// What the service tells its operator: log lines and figures. Never a code, a token, a phone number or an address.

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
  /** Anything else that is counted, by name and a few words that name no person. */
  count(name: CounterName, labels: Readonly<Record<string, string>>): void;
};

export type CounterName = 'failures' | 'deliveries' | 'store_troubles' | 'swept_rows';
