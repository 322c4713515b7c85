// A spool that stays in memory while it is small. One that grows, or whose client is slow, goes to a file.
import { createGathered, type GatherOptions } from './gather.ts';
import type { Segment } from './segments.ts';
import type { Spool } from './spool.ts';

export type HeldSpool = Pick<Spool, 'write' | 'discard'> & {
  /** Must follow the last write. */
  finish(): Promise<void>;
  /** After that: the bytes in memory, or the file. */
  readonly spooled: Spool;
};

export function createHeldSpool(
  openFile: () => Promise<Spool>,
  options: Required<Pick<GatherOptions, 'inTime'>> & GatherOptions,
): HeldSpool {
  let file: Spool | undefined;
  let [uses, isDiscarded] = [0, false];
  let heldSize: number | undefined;

  const write = async (bytes: Buffer): Promise<void> => {
    file ??= await open();
    await file.write(bytes);
  };
  const gathered = createGathered(write, options);

  async function open(): Promise<Spool> {
    const opened = await openFile();
    if (!isDiscarded) return opened;
    await opened.discard();
    throw new Error('the spool was discarded');
  }

  function endUse(): void {
    uses -= 1;
    if (isDiscarded && uses === 0) gathered.end();
  }

  async function lend<T>(work: (segment: Segment) => Promise<T>): Promise<T> {
    const segment = gathered.whole;
    if (segment === undefined || isDiscarded) throw notHeld();
    uses += 1;
    try {
      return await work(segment);
    } finally {
      endUse();
    }
  }

  const discard = async () => {
    isDiscarded = true;
    if (uses === 0) gathered.end();
    await file?.discard();
  };

  const sizeNow = () => heldSize ?? gathered.length;
  const read = (position: number, length: number) =>
    lend(async ({ bytes }) => Buffer.from(bytes.subarray(position, Math.min(position + length, sizeNow()))));
  const inMemory: Spool = {
    get size() {
      return sizeNow();
    },
    held: {
      lend,
      resize: (size) => {
        heldSize = size;
      },
    },
    get path(): string {
      throw notOnDisk();
    },
    write: gathered.write,
    replace: () => Promise.reject(notOnDisk()),
    get reader() {
      return { size: sizeNow(), read };
    },
    discard,
  };

  return {
    write: gathered.write,
    finish: async () => {
      if (gathered.whole !== undefined) return;
      // An empty file has been written nowhere.
      if (file === undefined) await options.inTime(write(Buffer.alloc(0)));
      await gathered.flush();
      gathered.end();
    },
    get spooled() {
      return file ?? inMemory;
    },
    discard,
  };
}

function notHeld(): Error {
  return new Error('the bytes of the spool are not in memory');
}

function notOnDisk(): Error {
  return new Error('the bytes of the spool are in memory');
}
