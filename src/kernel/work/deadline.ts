// Waits for work with a time limit and an abort signal.

type WaitOptions = {
  readonly milliseconds: number;
  /** Creates the error that is thrown when the time is over. */
  readonly late: () => Error;
  /** Ends the wait early. Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
};

/** Returns the result of the work. If the wait ends first, the work continues, and the caller must clean up after it. */
export async function waitFor<T>(work: Promise<T>, { milliseconds, late, signal }: WaitOptions): Promise<T> {
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
