// The calls about deleted files: list, restore, remove for good.
import type { Access } from './access.ts';
import { retry } from './retry.ts';
import type { FileRecord } from './upload-options.ts';
import type { Wire } from './wire.ts';

export type TrashedFile = FileRecord & {
  readonly deletedAt: string;
  /** When it is removed for good. */
  readonly removedAt: string;
};

type Parts = { readonly wire: Wire; readonly access: Access };

export function createTrashCalls({ wire, access }: Parts) {
  return {
    /**
     * Returns a page of deleted files that can still be restored, the last deleted first. The oldest make way if an upload needs their space.
     * @example
     * const { files, next } = await gatehouse.files.trash.list({ limit: 20 });
     */
    list: (
      page: { cursor?: string | undefined; limit?: number | undefined } = {},
    ): Promise<{ readonly files: readonly TrashedFile[]; readonly next: string | null }> =>
      access.run((headers) => retry(() => wire('listTrash', { query: page, headers }))),
    /**
     * Restores a deleted file. Its links and readers work again.
     * @example
     * const { files } = await gatehouse.files.trash.list();
     * if (files[0]) await gatehouse.files.trash.restore(files[0].id);
     */
    restore: (id: string): Promise<FileRecord> => access.run((headers) => wire('restoreFile', { id, headers })),
    /**
     * Removes a deleted file for good. This cannot be undone.
     * @example
     * const { files } = await gatehouse.files.trash.list();
     * if (files[0]) await gatehouse.files.trash.remove(files[0].id);
     */
    remove: async (id: string): Promise<void> => {
      await access.run((headers) => wire('removeFromTrash', { id, headers }));
    },
    /**
     * Removes all deleted files for good. This cannot be undone.
     * @example
     * await gatehouse.files.trash.empty();
     */
    empty: async (): Promise<void> => {
      await access.run((headers) => wire('emptyTrash', { headers }));
    },
  };
}
