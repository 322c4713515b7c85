// Ids for new files. Each is noted in the database before bytes are stored under it, so no bytes stay without a record.

import type { Clock } from '../../kernel/clock.ts';
import type { FileId } from '../../kernel/ids.ts';
import { withoutClient } from '../../kernel/work/waiting-client.ts';
import { newFileId } from '../stored-file.ts';
import type { RemovalQueue } from '../sweeps/removal-queue.ts';

export type NewFileIds = {
  /** An id that nobody else gets, noted for at least this long. */
  take(leastMilliseconds: number): Promise<FileId>;
  /** The note of this id was gone before its time. Those of its commit may be gone too, so no more of them are given. */
  renew(id: FileId): void;
  /** Before the process ends: what was not taken is forgotten, or else workers look for bytes of it. */
  close(): Promise<void>;
};

/**
 * Long enough that few commits note ids. Short, because this is how long the bytes of a killed node may stay when another process has
 * the database too.
 */
const noteMilliseconds = 600_000;
const mostAtOnce = 64;

type Deps = { readonly removals: Pick<RemovalQueue, 'note'>; readonly clock: Clock };

/** Many ids share a commit: as many as wait, and twice as many as last time if that was less than a note ago. */
export function createNewFileIds({ removals, clock }: Deps): NewFileIds {
  let [ids, until, noted, waiting]: [FileId[], number, readonly FileId[], number] = [[], 0, [], 0];
  let noting: Promise<void> | undefined;

  const note = async (leastMilliseconds: number) => {
    const now = clock.now();
    const more = now < until ? 2 * noted.length : 1;
    const fresh = Array.from({ length: Math.min(mostAtOnce, Math.max(more, waiting)) }, newFileId).toSorted();
    const next = now + Math.max(noteMilliseconds, 2 * leastMilliseconds);
    const unused = ids;
    ids = [];
    await removals.note({ ids: fresh, until: next, unused });
    [ids, until, noted] = [[...fresh], next, fresh];
  };

  return {
    take: async (leastMilliseconds) => {
      waiting += 1;
      try {
        for (;;) {
          const id = until - clock.now() >= leastMilliseconds ? ids.pop() : undefined;
          if (id !== undefined) return id;
          // Others wait for it too: it must not end because the client that needed it first has left.
          noting ??= withoutClient(() => note(leastMilliseconds)).finally(() => {
            noting = undefined;
          });
          await noting;
        }
      } finally {
        waiting -= 1;
      }
    },
    renew: (id) => {
      if (noted.includes(id)) until = 0;
    },
    close: async () => {
      await noting;
      const unused = ids;
      ids = [];
      if (unused.length > 0) await removals.note({ ids: [], until: 0, unused });
    },
  };
}
