// The calls that wait for the database: they share batches, wait for a limited time, and leave when their client leaves.
import { Failure } from '../../kernel/failure.ts';
import { type WaitingClient, waitingClient } from '../../kernel/work/waiting-client.ts';
import { type CallWaits, callWaits, countedMilliseconds, mostInQueue } from './call-waits.ts';

export type CallOutcome = { readonly value: unknown } | { readonly error: Error };

/** The time of a batch. Whoever works on it sets `cut`, which is called when the time is over. */
export type BatchTime = { isOver: boolean; cut: () => void };

type Call<Input> = {
  readonly input: Input;
  readonly client: WaitingClient | undefined;
  /** By the clock of the desk. Infinity: it may wait as long as it takes. */
  readonly latest: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
};

type Batch<Input> = { readonly calls: readonly Call<Input>[]; readonly since: number; readonly time: BatchTime };

type QueueParts<Input> = {
  readonly batchesAtOnce: number;
  readonly perBatch: number;
  /** Must call `end` once, with the outcomes in the order of the inputs. */
  run(inputs: readonly Input[], time: BatchTime, end: (outcomes: readonly CallOutcome[]) => void): void;
};

export type CallQueue<Input> = {
  send(input: Input): Promise<unknown>;
  /** Is not refused, however many wait and however long it takes. */
  sendUnhurried(input: Input): Promise<unknown>;
  /** Rejects everything that waits and runs. */
  fail(error: Error): void;
};

/** What the queues of one store share: their clock, and the room for calls. */
export type CallDesk = {
  readonly waits: CallWaits;
  readonly now: () => number;
  waiting: number;
  /** From now on until nothing waits or runs, `look` is called at every tick. It returns whether something does. */
  watch(look: () => boolean): void;
  readonly onTrouble: (error: Error) => void;
};

export function createCallDesk(
  onTrouble: (error: Error) => void,
  waits: CallWaits = callWaits,
  clock: () => number = () => performance.now(),
): CallDesk {
  const looks = new Set<() => boolean>();
  let [now, lastTick]: [number, number] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const tick = () => {
    const at = clock();
    now += countedMilliseconds(at - lastTick, waits);
    lastTick = at;
    for (const look of looks) if (!look()) looks.delete(look);
    if (looks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    waits,
    now: () => now,
    waiting: 0,
    onTrouble,
    watch: (look) => {
      looks.add(look);
      if (timer !== undefined) return;
      lastTick = clock();
      timer = setInterval(tick, waits.tickMilliseconds).unref();
    },
  };
}

export function createCallQueue<Input>(
  desk: CallDesk,
  { batchesAtOnce, perBatch, run }: QueueParts<Input>,
): CallQueue<Input> {
  const { waits } = desk;
  const running = new Set<Batch<Input>>();
  let waiting: Call<Input>[] = [];
  let isWatched = false;
  let isFlushDue = false;
  let lastGoodMilliseconds = 0;
  let fault: Error | undefined;

  const flush = () => {
    isFlushDue = false;
    let hasBegun = false;
    while (!hasBegun && running.size < batchesAtOnce && waiting.length > 0)
      hasBegun = begin(waiting.splice(0, perBatch));
  };

  const begin = (taken: readonly Call<Input>[]): boolean => {
    const [calls, gone] = taken.every(isWanted) ? [taken, []] : split(taken, isWanted);
    desk.waiting -= calls.length;
    refuse(gone, left);
    if (calls.length === 0) return false;
    const batch: Batch<Input> = { calls, since: desk.now(), time: { isOver: false, cut: ignore } };
    running.add(batch);
    run(
      calls.map(({ input }) => input),
      batch.time,
      (outcomes) => end(batch, outcomes),
    );
    return true;
  };

  const end = (batch: Batch<Input>, outcomes: readonly CallOutcome[]) => {
    if (!running.delete(batch)) return;
    // Before the callers go on: the database has work meanwhile.
    flush();
    let isGood = !batch.time.isOver;
    for (let index = 0; index < batch.calls.length; index++) {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) batch.calls[index]?.resolve(outcome.value);
      else {
        isGood = false;
        batch.calls[index]?.reject(outcome?.error ?? new Error('the database gave no outcome'));
      }
    }
    if (isGood) lastGoodMilliseconds = desk.now() - batch.since;
  };

  const mostHere = () => {
    let batchMilliseconds = lastGoodMilliseconds;
    for (const { since } of running) batchMilliseconds = Math.max(batchMilliseconds, desk.now() - since);
    return mostInQueue({ batchesAtOnce, perBatch, running: running.size, batchMilliseconds }, waits);
  };

  const refuse = (calls: readonly Call<Input>[], reason: () => Error) => {
    desk.waiting -= calls.length;
    for (const call of calls) call.reject(reason());
  };

  const cut = (calls: readonly Call<Input>[], time: BatchTime) => {
    time.isOver = true;
    for (const call of calls) if (!isUnhurried(call)) call.reject(unavailable(late));
    desk.onTrouble(new Error(late));
    time.cut();
  };

  /** Who left, who waited too long, and who would: the last ones first. */
  const look = (): boolean => {
    const now = desk.now();
    for (const { calls, time } of running)
      if (!time.isOver && calls.some(({ latest }) => latest <= now)) cut(calls, time);
    const rest = waits.callMilliseconds - waits.turnMilliseconds;
    const most = mostHere();
    const [here, gone] = split(waiting, isWanted);
    const [inTime, tooLong] = split(here, ({ latest }) => latest - rest > now);
    const [kept, tail] = split(inTime, (call, index) => index < most || isUnhurried(call));
    waiting = kept;
    refuse(gone, left);
    refuse([...tooLong, ...tail], busy);
    if (tooLong.length + tail.length > 0) desk.onTrouble(busy());
    isWatched = waiting.length > 0 || running.size > 0;
    return isWatched;
  };

  const push = (input: Input, client: WaitingClient | undefined, latest: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      desk.waiting += 1;
      waiting.push({ input, client, latest, resolve, reject });
      if (!isWatched) {
        isWatched = true;
        desk.watch(look);
      }
      // All calls in one turn of the event loop share a batch.
      if (isFlushDue || running.size >= batchesAtOnce) return;
      isFlushDue = true;
      setImmediate(flush);
    });

  return {
    send: (input) => {
      if (fault !== undefined) return Promise.reject(unavailable(fault.message, fault));
      if (desk.waiting >= waits.mostWaiting || waiting.length >= mostHere()) return Promise.reject(busy());
      return push(input, waitingClient(), desk.now() + waits.callMilliseconds);
    },
    sendUnhurried: (input) =>
      fault === undefined
        ? push(input, undefined, Number.POSITIVE_INFINITY)
        : Promise.reject(unavailable(fault.message, fault)),
    fail: (error) => {
      fault ??= error;
      const reason = () => unavailable(error.message, error);
      refuse(waiting, reason);
      waiting = [];
      for (const { calls } of running) for (const { reject } of calls) reject(reason());
      running.clear();
    },
  };
}

function isWanted({ client }: Pick<Call<unknown>, 'client'>): boolean {
  return client?.isGone !== true;
}

function isUnhurried({ latest }: Pick<Call<unknown>, 'latest'>): boolean {
  return latest === Number.POSITIVE_INFINITY;
}

/** Those for which it is true, and the others. */
function split<Item>(items: readonly Item[], isTrue: (item: Item, index: number) => boolean): [Item[], Item[]] {
  const [those, others]: [Item[], Item[]] = [[], []];
  items.forEach((item, index) => void (isTrue(item, index) ? those : others).push(item));
  return [those, others];
}

const late = 'the database did not answer in time';

function busy(): Failure {
  return unavailable('too many calls wait for the database');
}

function left(): Failure {
  return unavailable('the client left before its call had begun');
}

export function unavailable(reason: string, cause: Error = new Error(reason)): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, cause);
}

function ignore(): void {}
