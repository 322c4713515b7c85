// The calls about uploads that the service holds and that are not finished: list, cancel.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import { retry } from './retry.ts';
import type { Wire } from './wire.ts';

type Parts = { readonly wire: Wire; readonly access: Access };

export function createOpenUploadCalls({ wire, access }: Parts) {
  return {
    /**
     * Returns a page of the unfinished uploads of the signed-in user, newest first, from whatever device. They hold room in the quota.
     * @example
     * const { uploads, next } = await gatehouse.files.openUploads.list();
     */
    list: (
      page: { cursor?: string | undefined; limit?: number | undefined } = {},
    ): Promise<Calls['listUploads']['data']> =>
      access.run((headers) => retry(() => wire('listUploads', { query: page, headers }))),
    /**
     * Cancels an upload. Its bytes are removed, and its room is free again.
     * @example
     * const { uploads } = await gatehouse.files.openUploads.list();
     * if (uploads[0]) await gatehouse.files.openUploads.cancel(uploads[0].id);
     */
    cancel: async (id: string): Promise<void> => {
      await access.run((headers) => wire('cancelUpload', { id, headers }));
    },
  };
}
