// The calls about files: what may be uploaded, uploading, listing, showing and deleting.
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
    purposes: (): Promise<Calls['listPurposes']['data']> =>
      access.run((headers) => retry(() => wire('listPurposes', { headers }))),
    /** Newest first; hand `next` in as cursor to get the following page. */
    list: (
      page: { cursor?: string | undefined; limit?: number | undefined } = {},
    ): Promise<Calls['listFiles']['data']> =>
      access.run((headers) => retry(() => wire('listFiles', { query: page, headers }))),
    show: (id: string): Promise<FileRecord> => access.run((headers) => retry(() => wire('showFile', { id, headers }))),
    delete: async (id: string): Promise<void> => {
      await access.run((headers) => wire('deleteFile', { id, headers }));
    },
    /** For img and a in cookie mode; in header mode fetch it, because a page sends no token along with an address. */
    url: (id: string): string => `${options.base}${lineOf('getFile', id)[1]}`,
    upload: (file: Blob, how: UploadOptions): Promise<FileRecord> =>
      uploadFile({ access, wire: options, mayUseXhr }, file, how),
  };
}
