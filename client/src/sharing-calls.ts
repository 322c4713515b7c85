// The calls about who else may read a file: links that need no sign-in, and readers by name.
import type { Access } from './access.ts';
import { retry } from './retry.ts';
import type { Wire } from './wire.ts';

export type LinkOptions = {
  /** Seconds, from a minute to 30 days. Default: 7 days. */
  readonly expiresIn?: number | undefined;
  /** How often the file can be fetched with the link. Default: any number of times. */
  readonly uses?: number | undefined;
};

export type NewFileLink = {
  readonly id: string;
  /** The service tells it only now. */
  readonly url: string;
  readonly expiresAt: string;
  readonly uses: number | null;
};

export type FileLink = {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly uses: number | null;
  readonly used: number;
};

type Parts = { readonly wire: Wire; readonly access: Access };

export function createSharingCalls({ wire, access }: Parts) {
  return {
    links: {
      /**
       * Creates a link that opens a file without a sign-in. The URL is shown only now: whoever has it can read the file until it
       * expires or is revoked. The purpose of the file must allow links.
       * @example
       * const { files } = await gatehouse.files.list();
       * if (files[0]) {
       *   const { url } = await gatehouse.files.links.create(files[0].id, { expiresIn: 86_400, uses: 1 });
       *   console.log(url);
       * }
       */
      create: (fileId: string, { expiresIn, uses }: LinkOptions = {}): Promise<NewFileLink> => {
        const body = { ...(expiresIn !== undefined && { expiresIn }), ...(uses !== undefined && { uses }) };
        return access.run((headers) => wire('createFileLink', { id: fileId, body, headers }));
      },
      /**
       * Returns the links of a file that still work, without their URLs.
       * @example
       * const { files } = await gatehouse.files.list();
       * for (const { expiresAt, used } of files[0] ? await gatehouse.files.links.list(files[0].id) : []) console.log(expiresAt, used);
       */
      list: async (fileId: string): Promise<readonly FileLink[]> =>
        (await access.run((headers) => retry(() => wire('listFileLinks', { id: fileId, headers })))).links,
      /**
       * Revokes one link. It stops working at once.
       * @example
       * const { files } = await gatehouse.files.list();
       * const [link] = files[0] ? await gatehouse.files.links.list(files[0].id) : [];
       * if (files[0] && link) await gatehouse.files.links.revoke(files[0].id, link.id);
       */
      revoke: async (fileId: string, linkId: string): Promise<void> => {
        await access.run((headers) => wire('revokeFileLink', { id: [fileId, linkId], headers }));
      },
      /**
       * Revokes all links of a file. They stop working at once.
       * @example
       * const { files } = await gatehouse.files.list();
       * if (files[0]) await gatehouse.files.links.revokeAll(files[0].id);
       */
      revokeAll: async (fileId: string): Promise<void> => {
        await access.run((headers) => wire('revokeFileLinks', { id: fileId, headers }));
      },
    },
    readers: {
      /**
       * Returns the IDs of the users who may read a file besides its owner.
       * @example
       * const { files } = await gatehouse.files.list();
       * if (files[0]) console.log(await gatehouse.files.readers.get(files[0].id));
       */
      get: async (fileId: string): Promise<readonly string[]> =>
        (await access.run((headers) => retry(() => wire('listFileReaders', { id: fileId, headers })))).users,
      /**
       * Replaces the users who may read a file besides its owner: at most 100 IDs. Returns those that are kept.
       * @example
       * const { files } = await gatehouse.files.list();
       * const ann = 'b3c1f9e0-6c1f-4b57-9d2b-0a4b6f1f2c3d';
       * if (files[0]) await gatehouse.files.readers.set(files[0].id, [ann]);
       */
      set: async (fileId: string, users: readonly string[]): Promise<readonly string[]> =>
        (await access.run((headers) => wire('setFileReaders', { id: fileId, body: { users: [...users] }, headers })))
          .users,
    },
  };
}
