// A change to a file: replaces the bytes `from` to `to` (excluded). Without new bytes it removes them.

export type Edit = { readonly from: number; readonly to: number; readonly bytes: Buffer };

const noBytes = Buffer.alloc(0);

export function removal({ start, end }: { readonly start: number; readonly end: number }): Edit {
  return { from: start, to: end, bytes: noBytes };
}

/** By how many bytes the edits make a file longer. Negative if they make it shorter. */
export function growthOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { from, to, bytes }) => sum + bytes.length - (to - from), 0);
}
