// Records what a starting service is waiting for, and since when.

export type StartProgress = {
  /** Sets what the start is waiting for. The time does not restart if `what` stays the same. */
  waitFor(what: string, cause?: string): void;
  describe(): string;
};

export function createStartProgress(now = () => performance.now()): StartProgress {
  let current: { readonly what: string; readonly since: number; readonly cause?: string } = {
    what: 'the program',
    since: now(),
  };
  return {
    waitFor: (what, cause) => {
      const since = what === current.what ? current.since : now();
      current = { what, since, ...(cause !== undefined && { cause }) };
    },
    describe: () => {
      const seconds = Math.round((now() - current.since) / 1000);
      const cause = current.cause === undefined ? '' : ` (${current.cause})`;
      return `The service is starting: it has been waiting for ${current.what} for ${seconds} s${cause}.`;
    },
  };
}
