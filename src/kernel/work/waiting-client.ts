// The client that waits for the work that runs now. What nobody waits for any more need not begin.
import { AsyncLocalStorage } from 'node:async_hooks';

export type WaitingClient = {
  /** True if the client has left before it got an answer. */
  readonly isGone: boolean;
};

const clients = new AsyncLocalStorage<WaitingClient | undefined>();

/** Everything that this work begins, also later, is for the client. */
export function forClient<Args extends unknown[], Result>(
  client: WaitingClient,
  work: (...args: Args) => Result,
  ...args: Args
): Result {
  return clients.run(client, work, ...args);
}

/** For work that others wait for too, or that must be done although its client leaves. */
export function withoutClient<Result>(work: () => Result): Result {
  return clients.run(undefined, work);
}

/** Undefined in background work, and if the client had already left: what comes then is for others, or cleans up. */
export function waitingClient(): WaitingClient | undefined {
  const client = clients.getStore();
  return client?.isGone === true ? undefined : client;
}
