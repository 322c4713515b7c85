// Waiting with an end: for work that may never finish, and for somebody who may go away meanwhile.

export type Patience = {
  readonly milliseconds: number;
  /** What is thrown when the time is over. */
  readonly late: () => Error;
  /** Ends the wait too, with its reason. */
  readonly signal?: AbortSignal | undefined;
};

/** The outcome of the work. Where the wait ends first, the work goes on: whoever started it takes care of what it leaves. */
export async function waitFor<T>(work: Promise<T>, { milliseconds, late, signal }: Patience): Promise<T> {
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    end();
  }
}
