// Runs work repeatedly, with a pause between two rounds, until it is stopped.

export type Loop = { stop(): Promise<void> };

/** A round that throws is reported, and the next round runs as usual. */
export function startLoop(
  pauseMilliseconds: number,
  round: () => Promise<void>,
  report: (error: unknown) => void,
): Loop {
  let isStopped = false;
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
    while (!isStopped) {
      await round().catch(report);
      if (!isStopped) await pause();
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      wake();
      await ended;
    },
  };
}
