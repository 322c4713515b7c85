// Searches a recorded history for an order of its calls that a model accepts: the algorithm of Wing and Gong with Lowe's memory of
// configurations, as Porcupine has it.

export type HistoryCall<Input, Output> = {
  readonly input: Input;
  readonly output: Output;
  readonly calledAt: number;
  /** Infinity if no answer came: the call may take effect at any later time. */
  readonly returnedAt: number;
};

export type Model<State, Input, Output> = {
  readonly initial: State;
  /** The state after the call with this answer; undefined if the model would not have answered so. */
  step(state: State, input: Input, output: Output): State | undefined;
};

type Verdict<Input, Output> = {
  /** A right order, or the longest beginning of one that the search found. */
  readonly order: readonly HistoryCall<Input, Output>[];
  readonly isLinearizable: boolean;
};

/** An event of the history: a call, or its return. A doubly linked list lets the search take a call out and put it back. */
type Entry = {
  readonly id: number;
  /** Undefined for a return. */
  readonly end: Entry | undefined;
  previous: Entry | undefined;
  next: Entry | undefined;
};

export function findOrder<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly HistoryCall<Input, Output>[],
): Verdict<Input, Output> {
  const head = listEvents(history);
  const taken: { readonly entry: Entry; readonly state: State }[] = [];
  const seen = new Set<string>();
  let state = model.initial;
  let done = 0n;
  let longest: number[] = [];
  let entry = head.next;
  while (entry !== undefined) {
    const call = history[entry.id];
    if (entry.end !== undefined && call !== undefined) {
      const next = model.step(state, call.input, call.output);
      const nowDone = done | (1n << BigInt(entry.id));
      // The same calls in another order that led to the same state: nothing new can follow.
      const key = next === undefined ? '' : `${nowDone} ${JSON.stringify(next)}`;
      if (next === undefined || seen.has(key)) {
        entry = entry.next;
        continue;
      }
      seen.add(key);
      taken.push({ entry, state });
      if (taken.length > longest.length) longest = taken.map((one) => one.entry.id);
      state = next;
      done = nowDone;
      takeOut(entry);
      entry = head.next;
    } else {
      // This call returned before any other could follow: the last choice was wrong.
      const last = taken.pop();
      if (last === undefined) return { isLinearizable: false, order: longest.flatMap((id) => history[id] ?? []) };
      state = last.state;
      done &= ~(1n << BigInt(last.entry.id));
      putBack(last.entry);
      entry = last.entry.next;
    }
  }
  return { isLinearizable: true, order: taken.flatMap((one) => history[one.entry.id] ?? []) };
}

/** Of events at one time the calls come first, so that calls that may have overlapped count as overlapping. */
function listEvents(history: readonly HistoryCall<unknown, unknown>[]): Entry {
  const events = history.flatMap(({ calledAt, returnedAt }, id) => {
    const end: Entry = { id, end: undefined, previous: undefined, next: undefined };
    const call: Entry = { id, end, previous: undefined, next: undefined };
    return [
      { at: calledAt, entry: call },
      { at: returnedAt, entry: end },
    ];
  });
  events.sort((a, b) =>
    a.at === b.at ? Number(b.entry.end !== undefined) - Number(a.entry.end !== undefined) : a.at - b.at,
  );
  const head: Entry = { id: -1, end: undefined, previous: undefined, next: undefined };
  let last = head;
  for (const { entry } of events) {
    last.next = entry;
    entry.previous = last;
    last = entry;
  }
  return head;
}

function takeOut(call: Entry): void {
  for (const entry of [call, call.end]) {
    if (entry?.previous !== undefined) entry.previous.next = entry.next;
    if (entry?.next !== undefined) entry.next.previous = entry.previous;
  }
}

/** In the opposite order, so that each finds the neighbours that it had. */
function putBack(call: Entry): void {
  for (const entry of [call.end, call]) {
    if (entry?.previous !== undefined) entry.previous.next = entry;
    if (entry?.next !== undefined) entry.next.previous = entry;
  }
}
