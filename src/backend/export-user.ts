// A user as `gatehouse export users` writes them: everything that an import of the same file restores, on one line.
import type { NoFieldLeft } from '../kernel/text/no-field-left.ts';
import type { BackendUser } from './backend-user.ts';

export type ExportStore = {
  /** In the order of the ids, after the given one. */
  listExported(page: { readonly after: string; readonly most: number }): Promise<BackendUser[]>;
};

/** Every field of the user is written, so that an import of the file loses none. An address here was proved, so it may be taken over. */
export function writeExported(user: BackendUser): string {
  const { id, phone, email, externalId, claims, publicMetadata, privateMetadata, ...others } = user;
  const { blockedAt, createdAt, lastSeenAt, ...rest } = others;
  rest satisfies NoFieldLeft;
  const record = {
    id,
    phone: phone ?? null,
    email: email ?? null,
    emailVerified: email !== undefined,
    externalId: externalId ?? null,
    claims,
    metadata: { public: publicMetadata, private: privateMetadata },
    blockedAt: isoTime(blockedAt),
    createdAt: isoTime(createdAt),
    lastSeenAt: isoTime(lastSeenAt),
  };
  return JSON.stringify(record);
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
