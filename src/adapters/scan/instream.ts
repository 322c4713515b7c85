// The command INSTREAM of clamd: chunks, each after its length in 32 bits, up to a chunk without bytes.

export const instream = Buffer.from('zINSTREAM\0');

/** Well within 32 bits. */
export const longestChunkBytes = 2 ** 30;

export function chunkLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
