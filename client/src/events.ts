// Notifies the app in every tab that a user signed in or out: once per tab and session.

/** `logged-out`: the user signed out. `ended`: the service ended the session. `deleted`: the account was deleted. */
export type SignOutReason = 'logged-out' | 'ended' | 'deleted';

export type EventMap = { 'signed-in': Record<never, never>; 'signed-out': { readonly reason: SignOutReason } };

type Listener<N extends keyof EventMap> = (event: EventMap[N]) => void;

type SessionEvent =
  | { readonly kind: 'signed-in'; readonly session: string }
  | { readonly kind: 'signed-out'; readonly session: string; readonly reason: SignOutReason };

export type Events = {
  /**
   * Calls the listener when a user signs in or out in any tab: once per session. Returns a function that removes it.
   * @example
   * const stop = gatehouse.on('signed-out', ({ reason }) => location.assign(`/login?why=${reason}`));
   * stop();
   */
  on<N extends keyof EventMap>(name: N, listener: Listener<N>): () => void;
  /** Notifies the listeners of this tab and of all other tabs. */
  emit(event: SessionEvent): void;
};

export function createEvents(channelName: string | undefined): Events {
  const listeners = new Set<(event: SessionEvent) => void>();
  const seen = new Set<string>();
  const notify = (event: SessionEvent) => {
    const key = `${event.kind} ${event.session}`;
    // Two tabs may detect the same event at the same time and send it to each other.
    if (seen.has(key)) return;
    seen.add(key);
    for (const listener of listeners) listener(event);
  };
  const channel = channelName === undefined ? undefined : openChannel(channelName, notify);
  return {
    on: (name, listener) => {
      const entry = (event: SessionEvent) => {
        if (event.kind === name) listener((event.kind === 'signed-out' ? { reason: event.reason } : {}) as never);
      };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit: (event) => {
      notify(event);
      channel?.postMessage(event);
    },
  };
}

function openChannel(name: string, notify: (event: SessionEvent) => void): BroadcastChannel | undefined {
  if (typeof BroadcastChannel !== 'function') return undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<SessionEvent>) => notify(data);
  return channel;
}
