// Tells the app, in every tab, that somebody was signed in or out: each tab once for each session.

/** `logged-out`: somebody asked for it. `ended`: the service ended the session. `deleted`: the account is gone. */
export type SignOutReason = 'logged-out' | 'ended' | 'deleted';

export type EventMap = { 'signed-in': Record<never, never>; 'signed-out': { readonly reason: SignOutReason } };

type Listener<N extends keyof EventMap> = (event: EventMap[N]) => void;

type News =
  | { readonly kind: 'signed-in'; readonly session: string }
  | { readonly kind: 'signed-out'; readonly session: string; readonly reason: SignOutReason };

export type Events = {
  on<N extends keyof EventMap>(name: N, listener: Listener<N>): () => void;
  /** Here and in the other tabs. */
  tell(news: News): void;
};

export function createEvents(channelName: string | undefined): Events {
  const listeners = new Set<(news: News) => void>();
  const told = new Set<string>();
  const emit = (news: News) => {
    const mark = `${news.kind} ${news.session}`;
    // Two tabs may find out at the same time, and tell each other.
    if (told.has(mark)) return;
    told.add(mark);
    for (const listener of listeners) listener(news);
  };
  const channel = channelName === undefined ? undefined : openChannel(channelName, emit);
  return {
    on: (name, listener) => {
      const entry = (news: News) => {
        if (news.kind === name) listener((news.kind === 'signed-out' ? { reason: news.reason } : {}) as never);
      };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell: (news) => {
      emit(news);
      channel?.postMessage(news);
    },
  };
}

function openChannel(name: string, emit: (news: News) => void): BroadcastChannel | undefined {
  if (typeof BroadcastChannel !== 'function') return undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<News>) => emit(data);
  return channel;
}
