// The calls about files: list purposes, upload, list, show and delete.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import { retry } from './retry.ts';
import { type FileRecord, type UploadOptions, uploadFile } from './upload-file.ts';
import { lineOf, type Wire, type WireOptions } from './wire.ts';

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly options: WireOptions;
  readonly mayUseXhr: boolean;
};

export function createFileCalls({ wire, access, options, mayUseXhr }: Parts) {
  return {
    /**
     * Returns the purposes that files can be uploaded for, with their limits, and the quota of the signed-in user.
     * @example
     * const { purposes, quota } = await gatehouse.files.purposes();
     * console.log(purposes.map(({ name }) => name), quota.maxBytes - quota.usedBytes);
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
     * Deletes a file. This cannot be undone.
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
     */
    url: (id: string): string => `${options.base}${lineOf('getFile', id)[1]}`,
    /**
     * Uploads a file for a purpose. After a broken connection it retries with the same idempotency key, so the file is
     * stored once.
     * @example
     * const file = new File(['name,age'], 'users.csv', { type: 'text/csv' });
     * const { id } = await gatehouse.files.upload(file, {
     *   purpose: 'document',
     *   onProgress: ({ sentBytes, totalBytes }) => console.log(sentBytes / totalBytes),
     * });
     */
    upload: (file: Blob, uploadOptions: UploadOptions): Promise<FileRecord> =>
      uploadFile({ access, wire: options, mayUseXhr }, file, uploadOptions),
  };
}
