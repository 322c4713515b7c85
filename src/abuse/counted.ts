// What the request for a message has counted, and how that is taken back if the message never left.
import type { Count, ReadCounter } from './caller-limits.ts';
import type { Hits } from './limits.ts';
import { type SendCheck, sendCounters } from './sends.ts';
import { addOpened, brakeIds, type SmsBrakeCheck, takeFromUse, type UseSpan } from './sms-brake.ts';
import { addToSpans, type Tally, takeFromSpans } from './tally.ts';

/** The counters of a request by what they count. `network`: of a caller, in time spans. `notices`: to a number, by message. */
const markNames = ['pause', 'recipient', 'caller', 'network', 'day', 'prefix', 'use', 'notices'] as const;

type MarkName = (typeof markNames)[number];

/** One counter in which the message was counted. */
export type Mark = readonly [name: MarkName, counterId: string];

/** Stands with the message in the outbox. A mark is in one of the two lists, so that nothing is taken back twice. */
export type Counted = {
  /** When it was counted. */
  readonly at: number;
  readonly messageId: string;
  /** The message opened its code; it did not repeat one. */
  readonly opened: boolean;
  readonly held: readonly Mark[];
  readonly back: readonly Mark[];
};

/**
 * What is known of a message that no provider has accepted.
 * waiting: every provider refused it, and it is tried again. unsent: it is not tried again. doubtful: a provider may have it, so it counts as sent.
 */
export type NotAccepted = 'waiting' | 'unsent' | 'doubtful';

/**
 * A message that waits may still leave, so it uses up every limit. But it is no code that a user left unused. In an outage, the messages
 * under way bound what a caller can ask for: they hold the limit until they are over.
 */
const isTakenBack: Readonly<Record<NotAccepted, (name: MarkName) => boolean>> = {
  waiting: (name) => name === 'use',
  unsent: () => true,
  doubtful: () => false,
};

export type Settled = { readonly counted: Counted; readonly counts: readonly Count[] };

export function marksOf(check: SendCheck | undefined, brake: SmsBrakeCheck | undefined): Mark[] {
  const marks: Mark[] = [];
  const add = (name: MarkName, id: string | undefined) => {
    if (id !== undefined) marks.push([name, id]);
  };
  if (check !== undefined) {
    const { pause, recipient, caller } = sendCounters(check);
    add('pause', pause);
    add('recipient', recipient);
    for (const { id, isWide } of caller) add(isWide ? 'network' : 'caller', id);
  }
  if (brake !== undefined) {
    const { total, country, prefix, use } = brakeIds(brake);
    add('day', total);
    add('day', country);
    add('prefix', prefix);
    add('use', use);
  }
  return marks;
}

/** The counters that may change, whatever becomes of the message. */
export function countedIds({ held, back }: Counted): string[] {
  return [...held, ...back].map(([, id]) => id);
}

/**
 * A provider answered about the recipient: the limits of the caller keep the message for good, whatever becomes of it. The caller chose
 * the recipient, and could repeat that without end.
 */
export function keepCaller(counted: Counted): Counted {
  return { ...counted, held: counted.held.filter(([name]) => name !== 'caller' && name !== 'network') };
}

/** Takes back what still counts and should not. */
export function takeBack(counted: Counted, what: NotAccepted, read: ReadCounter): Settled {
  const isOver = ([name]: Mark) => isTakenBack[what](name);
  const over = counted.held.filter(isOver);
  const held = counted.held.filter((mark) => !isOver(mark));
  return {
    counted: { ...counted, held, back: [...counted.back, ...over] },
    counts: changed(over, counted, read, 'take'),
  };
}

/**
 * A message that was given up is to be sent again: what was taken back counts again. `mayHaveLeft`: what it still holds stays counted
 * for good, because it may have left once.
 */
export function countAgain(counted: Counted, mayHaveLeft: boolean, read: ReadCounter): Settled {
  // A notice is counted again when it is admitted again, and a code among the unused ones when a provider accepts it.
  const isNotice = counted.back.some(([name]) => name === 'notices');
  const again = counted.back.filter(([name]) => name !== 'use' && !isNotice);
  const back = counted.back.filter(([name]) => name === 'use');
  const held = mayHaveLeft ? [] : [...counted.held, ...again];
  return { counted: { ...counted, held, back }, counts: changed(again, counted, read, 'add') };
}

/** Whether a provider refused the message at first: the brake does not know yet that its code was sent. */
export function isLate({ back }: Counted): boolean {
  return back.some(([name]) => name === 'use');
}

/**
 * A late message was accepted. Its code counts among those that may go unused, once its user has had the time to use it. It is part
 * of no burst: all that waited in an outage are accepted at one time when the outage ends.
 */
export function countLate(counted: Counted, read: ReadCounter): readonly Count[] {
  const uses = counted.back.filter(([name]) => name === 'use');
  return changed(uses, counted, read, 'add');
}

type Change = Readonly<Record<'take' | 'add', (value: unknown, counted: Counted) => unknown>>;

const hits: Change = {
  take: (value, { at }) => {
    const index = (value as Hits).lastIndexOf(at);
    return index < 0 ? value : (value as Hits).toSpliced(index, 1);
  },
  add: (value, { at }) => [...(value as Hits), at].sort((a, b) => a - b),
};

const changes: Readonly<Record<MarkName, Change>> = {
  pause: hits,
  recipient: hits,
  caller: hits,
  prefix: hits,
  network: {
    take: (value, { at }) => takeFromSpans(value as Tally, at),
    add: (value, { at }) => addToSpans(value as Tally, at),
  },
  day: { take: (value) => Math.max(0, (value as number) - 1), add: (value) => (value as number) + 1 },
  use: {
    take: (value, { at, opened }) => takeFromUse(value as readonly UseSpan[], at, opened),
    add: (value, { at, opened }) => addOpened(value as readonly UseSpan[], at, opened),
  },
  notices: {
    take: (value, { messageId }) => (value as readonly (readonly unknown[])[]).filter(([, id]) => id !== messageId),
    add: (value) => value,
  },
};

/** A counter that is gone has forgotten the message. Its end stays. */
function changed(marks: readonly Mark[], counted: Counted, read: ReadCounter, how: keyof Change): Count[] {
  return marks.flatMap(([name, id]) => {
    const value = read(id);
    return value === undefined ? [] : [{ id, value: changes[name][how](value, counted), endsAt: 0 }];
  });
}
