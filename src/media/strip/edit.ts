// A change to a file: the bytes `from` to `to` (not included) give way to others, or to none.

export type Edit = { readonly from: number; readonly to: number; readonly bytes: Buffer };

const nothing = Buffer.alloc(0);

export function removal({ start, end }: { readonly start: number; readonly end: number }): Edit {
  return { from: start, to: end, bytes: nothing };
}
