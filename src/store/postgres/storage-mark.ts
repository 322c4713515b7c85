// Asks the storage for its installation id: one question at a time, not too often, and with a time limit.
import { waitFor } from '../../kernel/work/deadline.ts';

/** What the storage has answered. Without an id it is new. */
type StorageMark = { readonly id: string | undefined };

const askMilliseconds = 2000;
/** A server that is a stranger for long must not cost a request to the storage every second. */
const keptMilliseconds = 5000;
/** A storage that is away may be back soon, and one that is new may get its id at any moment. */
const doubtfulMilliseconds = 1000;

export function openStorageMark(readMark: (() => Promise<string | undefined>) | undefined) {
  let latest: StorageMark | undefined;
  let running: Promise<void> | undefined;
  let keptUntil = 0;

  const read = async (): Promise<StorageMark | undefined> => {
    if (readMark === undefined) return undefined;
    const late = () => new Error('timeout of the storage');
    try {
      return { id: await waitFor(readMark(), { milliseconds: askMilliseconds, late }) };
    } catch {
      // The blob store reports its own trouble.
      return undefined;
    }
  };
  const begin = (): Promise<void> => {
    const asked: Promise<void> = read().then((found) => {
      if (running !== asked) return;
      running = undefined;
      latest = found;
      keptUntil = performance.now() + (found?.id === undefined ? doubtfulMilliseconds : keptMilliseconds);
    });
    running = asked;
    return asked;
  };
  return {
    /** The last answer. Undefined if there was none when the storage was asked last. */
    latest: () => latest,
    /** Ends when an answer is there that is not too old, or the question has failed. Never throws. */
    ask: async (): Promise<void> => {
      if (running !== undefined || performance.now() >= keptUntil) await (running ?? begin());
    },
    /** The storage may have got its installation id a moment ago: older answers do not count. */
    askAnew: begin,
  };
}
