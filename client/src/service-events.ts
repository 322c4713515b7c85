// The calls of a back end about events: a page of them, or all of them as they happen.
import { type GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { isTransient } from './retry.ts';
import type { Calls, Event as ServiceEvent } from './service-types.ts';
import type { ServiceWire } from './service-wire.ts';

export type FollowOptions = {
  /** The cursor that you stored last. Default: the oldest event that the service has. */
  readonly after?: string | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait when there are no new events, in milliseconds. Default: 2000. */
  readonly pollEvery?: number | undefined;
  /** How many events the service returns at once. */
  readonly limit?: number | undefined;
};

/** Null only before the first page has been handled, if you passed no `after`. */
export type FollowedEvent = ServiceEvent & { readonly cursor: string | null };

const usualPollMilliseconds = 2000;
const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 30_000;

export function createServiceEvents({ ask }: ServiceWire) {
  const page = ({
    after,
    limit,
    signal,
  }: Pick<FollowOptions, 'after' | 'limit' | 'signal'> = {}): Promise<Calls['listEvents']['data']> =>
    ask('listEvents', 'read', { query: { after, limit }, signal });

  return {
    /**
     * Returns a page of events in their order. Pass `next` as `after` to go on; there is always one.
     * @example
     * const { events, next } = await service.events.page({ limit: 100 });
     */
    page,
    /**
     * Goes through all events in their order, and waits for new ones until the signal aborts. Each event has a cursor: store it
     * after you have handled the event, and pass it as `after` when you start again. Nothing is left out then; the events of a page
     * that you had begun come again, so ignore an `id` that you know. It waits while the service cannot be reached, and fails if the
     * key is refused, or with `CURSOR_EXPIRED` if the events after the cursor are gone.
     * @example
     * const stop = new AbortController();
     * for await (const { id, type, data, cursor } of service.events.follow({ signal: stop.signal })) {
     *   console.log(id, type, data);
     *   console.log('next time go on after', cursor);
     * }
     */
    follow: async function* ({
      after,
      signal,
      pollEvery = usualPollMilliseconds,
      limit,
    }: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
      let cursor = after;
      let failures = 0;
      while (!signal?.aborted) {
        const found = await page({ after: cursor, limit, signal }).catch((error: unknown) => {
          const failure = toGatehouseError(error);
          if (failure.code !== 'ABORTED' && !isTransient(failure)) throw failure;
          return failure;
        });
        if ('code' in found) {
          await pause(pauseAfter(found, failures), signal);
          failures += 1;
          continue;
        }
        failures = 0;
        for (const [index, event] of found.events.entries()) {
          // The cursor of the page stands behind all of its events. Until then, the page is to be read again.
          const isLast = index === found.events.length - 1;
          yield { ...event, cursor: isLast ? found.next : (cursor ?? null) };
          if (signal?.aborted) return;
        }
        cursor = found.next;
        if (found.events.length === 0) await pause(pollEvery, signal);
      }
    },
  };
}

function pauseAfter({ retryAfterSeconds = 0 }: GatehouseError, failures: number): number {
  return Math.max(retryAfterSeconds * 1000, Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** failures));
}

/** Resolves early if the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
