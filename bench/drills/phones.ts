// The phones and mailboxes of the people: every message that reached them, and how to wait for one.
import { EventEmitter, once } from 'node:events';

export type Arrival = {
  /** The same for each copy of one message. */
  readonly id: string;
  readonly to: string;
  readonly by: string;
  readonly at: number;
  /** A code of six digits, or the token of a link. */
  readonly content: string;
};

export type Phones = {
  receive(message: { readonly id: string; readonly to: string; readonly by: string; readonly text: string }): void;
  readonly arrivals: readonly Arrival[];
  to(recipient: string): readonly Arrival[];
  /** The newest content beyond those that are known, or undefined if none comes in time. */
  next(recipient: string, known: number, until: number): Promise<string | undefined>;
};

const code = /#(\d{6})$/m;
const link = /#([\w-]{43})$/m;

export function openPhones(): Phones {
  const arrivals: Arrival[] = [];
  const byRecipient = new Map<string, Arrival[]>();
  const bell = new EventEmitter().setMaxListeners(0);
  const to = (recipient: string) => byRecipient.get(recipient) ?? [];
  return {
    arrivals,
    to,
    receive: ({ text, ...message }) => {
      // Notices have neither. Nobody waits for them.
      const content = link.exec(text)?.[1] ?? code.exec(text)?.[1];
      if (content === undefined) return;
      const arrival = { ...message, content, at: performance.now() };
      arrivals.push(arrival);
      byRecipient.set(message.to, [...to(message.to), arrival]);
      bell.emit(message.to);
    },
    next: async (recipient, known, until) => {
      while (to(recipient).length <= known) {
        const left = until - performance.now();
        if (left <= 0) return undefined;
        await once(bell, recipient, { signal: AbortSignal.timeout(Math.ceil(left)) }).catch(() => undefined);
      }
      return to(recipient).at(-1)?.content;
    },
  };
}
