// Runs work repeatedly, with a pause between two rounds, until it is stopped.

export type Loop = { stop(): Promise<void> };

/** A round that throws is reported, and the next round runs as usual. A long round ends early when `stop` is aborted. */
export function startLoop(
  pauseMilliseconds: number,
  round: (stop: AbortSignal) => Promise<void>,
  report: (error: unknown) => void,
): Loop {
  const stopping = new AbortController();
  let wake: () => void = () => undefined;
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMilliseconds);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      await round(stopping.signal).catch(report);
      if (!stopping.signal.aborted) await pause();
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      wake();
      await ended;
    },
  };
}
