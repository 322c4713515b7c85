// The bytes of a file on their way to the spool, chunk by chunk.

/** Undefined if nothing must be waited for. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** A source with `each` needs no promise for a chunk. It may free a chunk as soon as it was taken, unlike one that was read by iteration. */
export type Chunks = AsyncIterable<Buffer> & { each?(take: TakeChunk): Promise<void> };

export async function eachChunk(chunks: Chunks, take: TakeChunk): Promise<void> {
  if (chunks.each !== undefined) return chunks.each(take);
  for await (const chunk of chunks) {
    const taking = take(chunk);
    if (taking !== undefined) await taking;
  }
}
