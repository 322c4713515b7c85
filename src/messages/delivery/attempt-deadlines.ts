// Ends an attempt to send after its time, and all attempts some time after the service begins to stop.

type AttemptDeadlines = {
  inTime<Outcome>(milliseconds: number, send: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome>;
  /** From now on no attempt lasts longer than this. */
  endWithin(milliseconds: number): void;
};

export function createAttemptDeadlines(): AttemptDeadlines {
  const running = new Set<AbortController>();
  return {
    inTime: async (milliseconds, send) => {
      const attempt = new AbortController();
      const end = setTimeout(() => attempt.abort(timeOut()), milliseconds).unref();
      running.add(attempt);
      try {
        return await send(attempt.signal);
      } finally {
        clearTimeout(end);
        running.delete(attempt);
      }
    },
    endWithin: (milliseconds) => {
      setTimeout(() => {
        for (const attempt of running) attempt.abort(timeOut());
      }, milliseconds).unref();
    },
  };
}

function timeOut(): DOMException {
  return new DOMException('the attempt took too long', 'TimeoutError');
}
