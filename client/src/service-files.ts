// The calls of a back end about files: list those of a user, read, upload on behalf of a user, delete.
import { newKey } from './new-key.ts';
import { eachItem } from './pages.ts';
import { readAnswer } from './read-answer.ts';
import { isTransient, retry } from './retry.ts';
import type { File as FileOfUser } from './service-types.ts';
import type { ServiceWire } from './service-wire.ts';
import { mayRepeatUpload, uploadHeaders } from './upload-headers.ts';

export type ListOptions = {
  /** How many the service returns at once. It asks for more when they are used up. */
  readonly limit?: number | undefined;
  /** Where to begin: a cursor of an earlier list. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ContentOptions = {
  /** The name of a smaller picture that the purpose of the file has. */
  readonly variant?: string | undefined;
  /** Headers of a range or a conditional request, such as `{ range: 'bytes=0-1023' }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ServiceUploadOptions = {
  readonly purpose: string;
  /** Replaces the name of the file. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: a new key for each upload. Pass your own key to repeat an upload after a restart of the app. */
  readonly idempotencyKey?: string | undefined;
};

export function createServiceFiles({ ask, send }: ServiceWire) {
  return {
    /**
     * Goes through the files of a user, newest first.
     * @example
     * for await (const { id, name, size } of service.files.list(userId)) console.log(id, name, size);
     */
    list: (userId: string, { limit, cursor, signal }: ListOptions = {}): AsyncGenerator<FileOfUser, void, undefined> =>
      eachItem(async (at) => {
        const message = { id: userId, query: { cursor: at, limit }, signal };
        const { files, next } = await ask('listUserFiles', 'read', message);
        return { items: files, next };
      }, cursor),
    /**
     * Returns the record of a file: its owner, name, type and size, without its content.
     * @example
     * const { userId: owner, name } = await service.files.get(fileId);
     */
    get: (id: string): Promise<FileOfUser> => ask('showUserFile', 'read', { id }),
    /**
     * Returns the content of a file as a response: 200, 206 for a range, or 304 if you have this version. Read or cancel its body.
     * @example
     * const response = await service.files.content(fileId, { variant: 'thumb' });
     * const bytes = new Uint8Array(await response.arrayBuffer());
     */
    content: (id: string, { variant, headers, signal }: ContentOptions = {}): Promise<Response> =>
      retry(() => send('getUserFile', { id, query: { variant }, signal, ...(headers && { headers }) })),
    /**
     * Uploads a file on behalf of a user. It counts in the quota of the user. After a broken connection it retries with the same
     * idempotency key, so the file is stored once. Use `openAsBlob` of `node:fs` for a large file.
     * @example
     * const invoice = new Blob(['number,total\n4711,12\n'], { type: 'text/csv' });
     * const { id } = await service.files.upload(userId, invoice, { purpose: 'document', name: 'invoice.csv' });
     */
    upload: (
      userId: string,
      file: Blob,
      { purpose, name, signal, idempotencyKey = newKey() }: ServiceUploadOptions,
    ): Promise<FileOfUser> =>
      retry(
        async () => {
          const response = await send('uploadUserFile', {
            query: { user: userId, purpose },
            headers: uploadHeaders(file, idempotencyKey, name),
            content: file,
            isPatient: true,
            signal,
          });
          const { status } = response;
          const text = await response.text();
          return readAnswer({ status, header: (header) => response.headers.get(header), text }) as FileOfUser;
        },
        (error, round) => (isTransient(error) && error.status === 429) || mayRepeatUpload(error, round),
      ),
    /**
     * Deletes a file of a user. This cannot be undone.
     * @example
     * await service.files.delete(fileId);
     */
    delete: async (id: string): Promise<void> => {
      await ask('deleteUserFile', 'write', { id });
    },
  };
}
