// The messages that this node claims at their commit and delivers from memory: never more than it may hold, and none while others wait.
import type { Channel, ClaimedMessage } from '../outbox.ts';

/** Room for one message. One of the two is called, once. */
export type MessageHold = {
  readonly leaseSeconds: number;
  /** After the commit. */
  deliver(message: ClaimedMessage): void;
  /** The message was not queued. */
  release(): void;
};

export type MessageHolds = {
  /** Undefined if the message is to wait in the outbox until a worker claims it. */
  hold(channel: Channel): MessageHold | undefined;
  /** Messages have left memory. */
  end(channel: Channel, count: number): void;
  /** No message of the channel is waiting in the outbox. */
  open(channel: Channel): void;
  /** The node takes nothing of the channel until it is opened again. */
  shut(channel: Channel): void;
  /** Nothing is in memory, and nothing is taken until a channel is opened. */
  reset(): void;
  /** Nothing is taken any more. */
  stop(): void;
};

type Parts = {
  readonly leaseSeconds: number;
  /** Per channel. */
  readonly most: number;
  readonly deliver: (message: ClaimedMessage) => void;
  /** The channel takes no more until it is opened again. */
  readonly onFull: (channel: Channel) => void;
};

/** A node that had no room takes nothing until the outbox is empty again, so that no message overtakes the ones that wait. */
export function createMessageHolds({ leaseSeconds, most, deliver, onFull }: Parts): MessageHolds {
  const counts: Record<Channel, number> = { sms: 0, mail: 0 };
  const isOpen: Record<Channel, boolean> = { sms: false, mail: false };
  let isStopped = false;
  const end = (channel: Channel, count: number) => {
    counts[channel] = Math.max(0, counts[channel] - count);
  };
  const close = () => {
    isOpen.sms = false;
    isOpen.mail = false;
  };
  return {
    hold: (channel) => {
      if (!isOpen[channel]) return undefined;
      if (counts[channel] >= most) {
        isOpen[channel] = false;
        onFull(channel);
        return undefined;
      }
      counts[channel] += 1;
      return { leaseSeconds, deliver, release: () => end(channel, 1) };
    },
    end,
    open: (channel) => {
      isOpen[channel] = !isStopped;
    },
    shut: (channel) => {
      isOpen[channel] = false;
    },
    reset: () => {
      close();
      counts.sms = 0;
      counts.mail = 0;
    },
    stop: () => {
      isStopped = true;
      close();
    },
  };
}
