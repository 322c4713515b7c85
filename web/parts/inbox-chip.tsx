// In local mode: offers the newest code from the inbox, and accepts a code that the inbox page sends.
import { useEffect, useRef, useState } from 'preact/hooks';
import { facts, fill } from './facts.ts';
import { takeCodes } from './fill-code.ts';
import { listMessages } from './inbox-messages.ts';

type Props = {
  readonly to: string;
  /** The newest message to this recipient before the code was requested. */
  readonly after: string | undefined;
  readonly texts: { readonly inboxSays: string };
  readonly onFill: (code: string) => void;
};

export function InboxChip({ to, after, texts, onFill }: Props) {
  const [code, setCode] = useState<string | undefined>();
  const latest = useRef(onFill);
  latest.current = onFill;
  useEffect(() => {
    if (!facts.hasInbox) return;
    const leave = new AbortController();
    const poll = async () => {
      let seen = after;
      while (!leave.signal.aborted) {
        const messages = await listMessages({ to, after: seen, waitSeconds: 20, signal: leave.signal });
        const text = messages.find((message) => codeIn(message.text) !== undefined)?.text;
        if (text !== undefined) setCode(codeIn(text));
        seen = messages[0]?.id ?? seen;
      }
    };
    poll().catch(() => undefined);
    const stopTaking = takeCodes(to, (taken) => latest.current(taken));
    return () => {
      leave.abort();
      stopTaking();
    };
  }, [to, after]);
  if (code === undefined) return null;
  return (
    <button type="button" class="chip" onClick={() => onFill(code)}>
      {fill(texts.inboxSays, { code: `${code.slice(0, 3)} ${code.slice(3)}` })}
    </button>
  );
}

export function codeIn(text: string): string | undefined {
  return /(?<!\d)(\d{6})(?!\d)/.exec(text)?.[1];
}
