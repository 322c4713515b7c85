// The times of the HTTP server. Tests pass shorter ones; they are no settings.

export type ServerTimes = {
  /** A head must arrive whole within this time. */
  readonly headersMilliseconds: number;
  /** So often connections are checked for a head that is late. */
  readonly checkMilliseconds: number;
  /** Longer than the minute that load balancers use: the client side must be the first to close an idle connection. */
  readonly keepAliveMilliseconds: number;
  /** A JSON body must arrive whole within this time. */
  readonly bodyMilliseconds: number;
  /** A client that reads no byte of a file for this time counts as disconnected. */
  readonly stalledMilliseconds: number;
  /** So long an answer before the end of a body waits for the rest, to keep the connection. */
  readonly restMilliseconds: number;
  /** The rest of a refused body is read for this long. */
  readonly drainMilliseconds: number;
  /** Between the end of our side of a connection and its destruction, so that the client can read the answer. */
  readonly lingerMilliseconds: number;
  /** A client with a running request gets its answer well within this time after the last connection was accepted. */
  readonly lastAnswerMilliseconds: number;
};

export const serverTimes: ServerTimes = {
  headersMilliseconds: 10_000,
  checkMilliseconds: 1000,
  keepAliveMilliseconds: 65_000,
  bodyMilliseconds: 10_000,
  stalledMilliseconds: 60_000,
  restMilliseconds: 100,
  drainMilliseconds: 2000,
  lingerMilliseconds: 500,
  lastAnswerMilliseconds: 500,
};
