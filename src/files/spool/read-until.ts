// Reads the chunks of a body until it ends, fails, or a signal says to stop.

export type NextChunk =
  | { readonly kind: 'chunk'; readonly chunk: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** After `stop`, if there is one, the body gives what has been read already, and fails unless that was all of it. */
export type StoppableBody = AsyncIterable<Buffer> & { stop?(): void };

/**
 * A body that can stop gives what has arrived before it is cut, unless the reason of the signal is `atOnce`. After any other cut
 * nothing waits for the body, which may hang.
 */
export function readUntil(body: StoppableBody, signal: AbortSignal, atOnce?: string): { next(): Promise<NextChunk> } {
  const chunks = body[Symbol.asyncIterator]();
  // One at a time: a promise that lasted as long as the body would remember every chunk that was waited for.
  let wake: (next: NextChunk) => void = () => undefined;
  const isCutAtOnce = () => signal.aborted && (body.stop === undefined || signal.reason === atOnce);
  const cut = () => {
    if (isCutAtOnce()) wake({ kind: 'cut' });
    else body.stop?.();
  };
  signal.addEventListener('abort', cut);
  const read = (): Promise<NextChunk> =>
    chunks.next().then(
      (next) => (next.done === true ? { kind: 'end' } : { kind: 'chunk', chunk: next.value }),
      (error: unknown) => (signal.aborted ? { kind: 'cut' } : { kind: 'failed', error }),
    );
  if (signal.aborted) cut();
  return {
    next: async () => {
      const next = await new Promise<NextChunk>((resolve) => {
        wake = resolve;
        if (isCutAtOnce()) cut();
        else void read().then(resolve);
      });
      if (next.kind !== 'chunk') signal.removeEventListener('abort', cut);
      if (next.kind === 'cut') chunks.return?.().catch(() => undefined);
      return next;
    },
  };
}
