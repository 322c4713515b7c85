// The messages that this node claims at their commit and delivers from memory: never more than it may hold, and none while others wait.
import { type Channel, perChannel } from '../channel.ts';
import type { ClaimedMessage } from '../outbox.ts';

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
  const states = perChannel((): HoldState => ({ count: 0, isOpen: false }));
  let isStopped = false;
  const end = (channel: Channel, count: number) => {
    const state = states[channel];
    state.count = Math.max(0, state.count - count);
  };
  const closeAll = () => {
    for (const state of Object.values(states)) state.isOpen = false;
  };
  return {
    hold: (channel) => {
      const state = states[channel];
      if (!state.isOpen) return undefined;
      if (state.count >= most) {
        state.isOpen = false;
        onFull(channel);
        return undefined;
      }
      state.count += 1;
      return { leaseSeconds, deliver, release: () => end(channel, 1) };
    },
    end,
    open: (channel) => {
      states[channel].isOpen = !isStopped;
    },
    shut: (channel) => {
      states[channel].isOpen = false;
    },
    reset: () => {
      closeAll();
      for (const state of Object.values(states)) state.count = 0;
    },
    stop: () => {
      isStopped = true;
      closeAll();
    },
  };
}

/** isOpen: the node may hold messages of this channel. count: so many it holds. */
type HoldState = { count: number; isOpen: boolean };
