// Keeps the queue of uploads over a reload, in IndexedDB: what each upload is, and the bytes of small files. All calls may fail.
import type { FileHandle } from '../../client/src/upload-memory.ts';

export type KeptUpload = {
  readonly key: string;
  /** The ID of the user. Nobody else may send it. */
  readonly user: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly file: File | undefined;
  readonly handle: FileHandle | undefined;
  /** The user paused it, so it does not go on by itself. */
  readonly isPaused?: boolean;
};

export type QueueStore = {
  /** Oldest first. */
  list(): Promise<readonly KeptUpload[]>;
  has(key: string): Promise<boolean>;
  put(upload: KeptUpload): Promise<void>;
  setPaused(key: string, isPaused: boolean): Promise<void>;
  remove(key: string): Promise<void>;
  /** Also removes what another user of this browser has left. */
  removeOthers(): Promise<void>;
  clear(): Promise<void>;
};

type Change = {
  readonly work: (rows: IDBObjectStore) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
};

const table = 'uploads';

export function openQueueStore(user: string): QueueStore {
  const opening = open();
  // A browser without IndexedDB keeps nothing, and says so at each call.
  opening.catch(() => undefined);
  const run = async <T>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => { result: T }): Promise<T> => {
    const transaction = (await opening).transaction(table, mode);
    const request = work(transaction.objectStore(table));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  const waiting: Change[] = [];
  let isWriting = false;
  const apply = (changes: readonly Change[]) =>
    run('readwrite', (rows) => {
      for (const { work } of changes) work(rows);
      return { result: undefined };
    });
  /** Changes that come while others are written are written together: each transaction costs the browser a sync of its disk. */
  const write = async () => {
    isWriting = true;
    await opening.catch(() => undefined);
    while (waiting.length > 0) {
      const changes = waiting.splice(0);
      await apply(changes).then(
        () => changes.map(({ done }) => done()),
        // One that does not fit must not take the others with it.
        () => Promise.all(changes.map((change) => apply([change]).then(change.done, change.failed))),
      );
    }
    isWriting = false;
  };
  const change = (work: Change['work']): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ work, done, failed });
      if (!isWriting) void write();
    });
  const all = (): Promise<KeptUpload[]> => run('readonly', (rows) => rows.getAll());
  return {
    list: async () =>
      (await all()).filter((upload) => upload.user === user).toSorted((one, other) => one.addedAt - other.addedAt),
    has: async (key) => (await run('readonly', (rows) => rows.count(key))) > 0,
    put: (upload) => change((rows) => rows.put(upload)),
    setPaused: (key, isPaused) =>
      change((rows) => {
        const read: IDBRequest<KeptUpload | undefined> = rows.get(key);
        read.onsuccess = () => read.result && rows.put({ ...read.result, isPaused });
      }),
    remove: (key) => change((rows) => rows.delete(key)),
    removeOthers: async () => {
      const others = (await all()).filter((upload) => upload.user !== user);
      await Promise.all(others.map(({ key }) => change((rows) => rows.delete(key))));
    },
    clear: () => change((rows) => rows.clear()),
  };
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('gatehouse-queue', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
