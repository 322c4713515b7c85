// The messages of the inbox. Long polling loads new ones.
import { useEffect, useState } from 'preact/hooks';
import { type InboxMessage, listMessages } from '../parts/inbox-messages.ts';

const waitSeconds = 25;
const pauseMilliseconds = 2000;

export function useMessages(): { readonly messages: readonly InboxMessage[] | undefined; readonly isOffline: boolean } {
  const [messages, setMessages] = useState<readonly InboxMessage[] | undefined>();
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    const follow = async () => {
      let known = await listMessages({ signal });
      setMessages(known);
      setOffline(false);
      while (!signal.aborted) {
        const fresh = await listMessages({ after: known[0]?.id, waitSeconds, signal });
        known = [...fresh, ...known.filter(({ id }) => !fresh.some((message) => message.id === id))];
        if (fresh.length > 0) setMessages(known);
      }
    };
    const keepFollowing = async () => {
      while (!signal.aborted) {
        await follow().catch(() => setOffline(!signal.aborted));
        await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      }
    };
    void keepFollowing();
    return () => leave.abort();
  }, []);
  return { messages, isOffline };
}
