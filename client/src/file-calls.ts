// The calls about files: list purposes, upload, list, show and delete.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import { createOpenUploadCalls } from './open-upload-calls.ts';
import { listPendingUploads, type PendingUpload } from './pending-uploads.ts';
import { retry } from './retry.ts';
import { createSharingCalls } from './sharing-calls.ts';
import { createTrashCalls } from './trash-calls.ts';
import { type UploadParts, uploadFile } from './upload-file.ts';
import type { FileRecord, UploadOptions } from './upload-options.ts';
import { lineOf, type Wire, type WireOptions } from './wire.ts';

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly options: WireOptions;
  readonly uploads: UploadParts;
};

export function createFileCalls({ wire, access, options, uploads }: Parts) {
  return {
    /**
     * Returns the purposes that files can be uploaded for, with their limits, and the quota of the signed-in user.
     * @example
     * const { purposes, quota } = await gatehouse.files.purposes();
     * console.log(purposes.map(({ name }) => name), quota.maxBytes - quota.usedBytes - quota.reservedBytes + quota.trashBytes);
     */
    purposes: (): Promise<Calls['listPurposes']['data']> =>
      access.run((headers) => retry(() => wire('listPurposes', { headers }))),
    /**
     * Returns a page of files, newest first. Pass `next` as `cursor` to get the next page; it is null on the last page.
     * @example
     * const { files, next } = await gatehouse.files.list({ limit: 20 });
     */
    list: (
      page: { cursor?: string | undefined; limit?: number | undefined } = {},
    ): Promise<Calls['listFiles']['data']> =>
      access.run((headers) => retry(() => wire('listFiles', { query: page, headers }))),
    /**
     * Returns the record of a file: its name, type and size, without its content.
     * @example
     * const { files } = await gatehouse.files.list();
     * if (files[0]) console.log(await gatehouse.files.show(files[0].id));
     */
    show: (id: string): Promise<FileRecord> => access.run((headers) => retry(() => wire('showFile', { id, headers }))),
    /**
     * Deletes a file. It can be restored for a time: see `trash`. If the service keeps no trash, this cannot be undone.
     * @example
     * const { id } = await gatehouse.files.upload(new Blob(['hello']), { purpose: 'document', name: 'hello.txt' });
     * await gatehouse.files.delete(id);
     */
    delete: async (id: string): Promise<void> => {
      await access.run((headers) => wire('deleteFile', { id, headers }));
    },
    /**
     * Returns the URL of a file. In cookie mode use it in `img` and `a`. In header mode use `gatehouse.fetch`, because the
     * browser does not send the token for an `img` or `a`.
     * @example
     * const { files } = await gatehouse.files.list();
     * if (files[0]) await gatehouse.fetch(gatehouse.files.url(files[0].id));
     * // A smaller picture, if the purpose of the file has this variant. `purposes` lists the names.
     * if (files[0]) await gatehouse.fetch(gatehouse.files.url(files[0].id, { variant: 'thumb' }));
     */
    url: (id: string, { variant }: { readonly variant?: string | undefined } = {}): string =>
      `${options.base}${lineOf('getFile', id, { variant })[1]}`,
    /**
     * Uploads a file for a purpose. After a broken connection it retries with the same idempotency key, so the file is
     * stored once. A file of more than 8 MiB goes in several requests: it waits while there is no connection, and goes on where it
     * was cut, also after a reload (`pendingUploads`).
     * @example
     * const file = new File(['name,age'], 'users.csv', { type: 'text/csv' });
     * const { id } = await gatehouse.files.upload(file, {
     *   purpose: 'document',
     *   onProgress: ({ sentBytes, totalBytes }) => console.log(sentBytes / totalBytes),
     * });
     */
    upload: (file: Blob, uploadOptions: UploadOptions): Promise<FileRecord> => uploadFile(uploads, file, uploadOptions),
    /**
     * Returns the uploads of the signed-in user that a reload or a crash has cut off, oldest first. Those that run in any tab are
     * not among them.
     * @example
     * for (const upload of await gatehouse.files.pendingUploads()) {
     *   if (upload.canResume) await upload.resume();
     *   else console.log(`Choose ${upload.name} again to go on.`);
     * }
     */
    pendingUploads: (): Promise<readonly PendingUpload[]> => listPendingUploads(uploads),
    ...createSharingCalls({ wire, access }),
    openUploads: createOpenUploadCalls({ wire, access }),
    trash: createTrashCalls({ wire, access }),
  };
}
