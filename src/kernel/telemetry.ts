// The log of the service. It never contains a code, a token, a phone number, an e-mail address or an IP address.

export type Facts = Readonly<Record<string, unknown>>;

export type Log = {
  debug(event: string, facts?: Facts): void;
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  error(event: string, facts?: Facts): void;
};
