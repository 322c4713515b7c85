// The log of the service. It never contains a code, a token, a phone number, an e-mail address or an IP address.

export type LogFields = Readonly<Record<string, unknown>>;

export type Log = {
  debug(event: string, facts?: LogFields): void;
  info(event: string, facts?: LogFields): void;
  warn(event: string, facts?: LogFields): void;
  error(event: string, facts?: LogFields): void;
  /** False if events of this level are dropped, so that nobody needs to describe them. */
  isOn?(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
};
