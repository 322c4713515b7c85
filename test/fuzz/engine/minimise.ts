// Makes an input as short and plain as possible while a condition holds, in a bounded number of tries.

type Minimising = {
  readonly holds: (candidate: Buffer) => boolean | Promise<boolean>;
  /** The input without the bytes from `start` to `end`, in ways that may keep it whole. Tried in this order. */
  readonly without: (input: Buffer, start: number, end: number) => readonly Buffer[];
  readonly tries: number;
};

/** The bytes are simply not there. */
export function removed(input: Buffer, start: number, end: number): Buffer {
  return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
}

export async function minimise(input: Buffer, { holds, without, tries }: Minimising): Promise<Buffer> {
  let left = tries;
  let best = input;
  const attempt = async (candidate: Buffer): Promise<boolean> => {
    left -= 1;
    if (left < 0 || candidate.length > best.length || !(await holds(candidate))) return false;
    best = candidate;
    return true;
  };
  const shorten = async (at: number, size: number): Promise<boolean> => {
    for (const candidate of without(best, at, Math.min(best.length, at + size)))
      if (candidate.length < best.length && (await attempt(candidate))) return true;
    return false;
  };
  for (let size = Math.ceil(best.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && left > 0; ) if (!(await shorten(at, size))) at += size;
  }
  for (let at = 0; at < best.length && left > 0; at++) {
    const plainer = Buffer.from(best);
    plainer[at] = 0x30;
    if (!plainer.equals(best)) await attempt(plainer);
  }
  return best;
}
