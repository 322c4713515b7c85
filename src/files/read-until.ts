// Reads the chunks of a body until it ends, fails, or a signal says to stop.

export type NextChunk =
  | { readonly kind: 'chunk'; readonly chunk: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** After a cut nothing waits for the body, which may hang. */
export function readUntil(body: AsyncIterable<Buffer>, signal: AbortSignal): { next(): Promise<NextChunk> } {
  const chunks = body[Symbol.asyncIterator]();
  // One at a time: a promise that lasted as long as the body would remember every chunk that was waited for.
  let wake: (next: NextChunk) => void = () => undefined;
  const cut = () => wake({ kind: 'cut' });
  signal.addEventListener('abort', cut);
  const read = (): Promise<NextChunk> =>
    chunks.next().then(
      (next) => (next.done === true ? { kind: 'end' } : { kind: 'chunk', chunk: next.value }),
      (error: unknown) => ({ kind: 'failed', error }),
    );
  return {
    next: async () => {
      const next = await new Promise<NextChunk>((resolve) => {
        wake = resolve;
        if (signal.aborted) cut();
        else void read().then(resolve);
      });
      if (next.kind !== 'chunk') signal.removeEventListener('abort', cut);
      if (next.kind === 'cut') chunks.return?.().catch(() => undefined);
      return next;
    },
  };
}
