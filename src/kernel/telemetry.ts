// What the service tells its operator: log lines. Never a code, a token, a phone number or an address.

export type Facts = Readonly<Record<string, unknown>>;

export type Log = {
  debug(event: string, facts?: Facts): void;
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  error(event: string, facts?: Facts): void;
};
