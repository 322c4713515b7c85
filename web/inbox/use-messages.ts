// The messages of the inbox, kept up to date by asking for what came after the newest one.
import { useEffect, useState } from 'preact/hooks';
import { type InboxMessage, listMessages } from '../parts/inbox-messages.ts';

const waitSeconds = 25;
const pauseMilliseconds = 2000;

export function useMessages(): { readonly messages: readonly InboxMessage[] | undefined; readonly isCut: boolean } {
  const [messages, setMessages] = useState<readonly InboxMessage[] | undefined>();
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    const follow = async () => {
      let known = await listMessages({ signal });
      setMessages(known);
      setCut(false);
      while (!signal.aborted) {
        const fresh = await listMessages({ after: known[0]?.id, waitSeconds, signal });
        known = [...fresh, ...known.filter(({ id }) => !fresh.some((message) => message.id === id))];
        if (fresh.length > 0) setMessages(known);
      }
    };
    const keepFollowing = async () => {
      while (!signal.aborted) {
        await follow().catch(() => setCut(!signal.aborted));
        await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      }
    };
    void keepFollowing();
    return () => leave.abort();
  }, []);
  return { messages, isCut };
}
