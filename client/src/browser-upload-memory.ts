// Remembers uploads in IndexedDB: they survive a reload and a crash of the browser. All tabs of an origin share them.
import type { FileHandle, RememberedUpload, UploadMemory } from './upload-memory.ts';

const stores = ['uploads', 'sources'] as const;

/** Undefined outside browsers, and where access to IndexedDB throws. */
export function browserUploadMemory(name: string): UploadMemory | undefined {
  if (!hasIndexedDb()) return undefined;
  let opening: Promise<IDBDatabase> | undefined;
  const open = () => {
    opening ??= openDatabase(name, () => {
      opening = undefined;
    });
    return opening;
  };
  const change = async (work: (uploads: IDBObjectStore, sources: IDBObjectStore) => void): Promise<void> => {
    const transaction = (await open()).transaction(stores, 'readwrite');
    work(transaction.objectStore('uploads'), transaction.objectStore('sources'));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  };
  const read = async <T>(store: (typeof stores)[number], work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    resultOf(work((await open()).transaction(store).objectStore(store)));
  return {
    list: () => read('uploads', (uploads): IDBRequest<RememberedUpload[]> => uploads.getAll()),
    save: (upload) => change((uploads) => uploads.put(upload, upload.key)),
    saveSource: (key, source) => change((_, sources) => sources.put(source, key)),
    source: (key) => read('sources', (sources): IDBRequest<Blob | FileHandle | undefined> => sources.get(key)),
    remove: (key) =>
      change((uploads, sources) => {
        uploads.delete(key);
        sources.delete(key);
      }),
    clear: () =>
      change((uploads, sources) => {
        uploads.clear();
        sources.clear();
      }),
  };
}

function openDatabase(name: string, onLost: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store);
  };
  return resultOf(request).then(
    (database) => {
      // Another tab deletes the database, or the browser has closed it.
      database.onversionchange = () => {
        database.close();
        onLost();
      };
      database.onclose = onLost;
      return database;
    },
    (error: unknown) => {
      onLost();
      throw error;
    },
  );
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function hasIndexedDb(): boolean {
  try {
    return typeof document === 'object' && typeof indexedDB === 'object' && indexedDB !== null;
  } catch {
    return false;
  }
}
