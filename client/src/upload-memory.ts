// Remembers uploads that are not complete, so that they go on after a reload: the port, and the memory of one process.

/** A file that the browser lets the page read again: of drag and drop, or of `showOpenFilePicker`. A `FileSystemFileHandle`. */
export type FileHandle = {
  getFile(): Promise<File>;
  queryPermission?(): Promise<string>;
  requestPermission?(): Promise<string>;
};

export type RememberedUpload = {
  /** The idempotency key of the upload. */
  readonly key: string;
  /** The ID of the user. Nobody else sees the upload. */
  readonly user: string;
  readonly purpose: string;
  /** The name that the file is stored under. */
  readonly name: string | undefined;
  /** The name of the file on the device. */
  readonly fileName: string | undefined;
  readonly type: string;
  readonly size: number;
  /** Undefined for bytes that are no file. */
  readonly lastModified: number | undefined;
  /** A hash of the first and the last 64 KiB. */
  readonly mark: string;
  /** The name of the upload at the service. Undefined until the service has sent it. */
  readonly id: string | undefined;
  /** What was reported as progress. */
  readonly sentBytes: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
};

/** Every function may fail or forget: the upload then goes on, and is not remembered. */
export type UploadMemory = {
  list(): Promise<readonly RememberedUpload[]>;
  /** Small, and called often: at most a few times a second. */
  save(upload: RememberedUpload): Promise<void>;
  /** The bytes of an upload, or how to get them. Called once. */
  saveSource(key: string, source: Blob | FileHandle): Promise<void>;
  source(key: string): Promise<Blob | FileHandle | undefined>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
};

/**
 * Remembers uploads in this process only. It is the default where there is no IndexedDB.
 * @example
 * const gatehouse = createGatehouse({ url: 'https://id.example.com', uploadMemory: createUploadMemory() });
 */
export function createUploadMemory(): UploadMemory {
  const uploads = new Map<string, RememberedUpload>();
  const sources = new Map<string, Blob | FileHandle>();
  return {
    list: async () => [...uploads.values()],
    save: async (upload) => void uploads.set(upload.key, upload),
    saveSource: async (key, source) => void sources.set(key, source),
    source: async (key) => sources.get(key),
    remove: async (key) => {
      uploads.delete(key);
      sources.delete(key);
    },
    clear: async () => {
      uploads.clear();
      sources.clear();
    },
  };
}
