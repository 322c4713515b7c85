// A user as `gatehouse export users` writes them: everything that an import of the same file restores, on one line.
import type { BackendUser } from './backend-user.ts';

export type ExportStore = {
  /** In the order of the ids, after the given one. */
  listExported(page: { readonly after: string; readonly most: number }): Promise<BackendUser[]>;
};

/** An address here was proved, so an import may take it over. */
export function writeExported(user: BackendUser): string {
  const record = {
    id: user.id,
    phone: user.phone ?? null,
    email: user.email ?? null,
    emailVerified: user.email !== undefined,
    externalId: user.externalId ?? null,
    claims: user.claims,
    metadata: { public: user.publicMetadata, private: user.privateMetadata },
    blockedAt: isoTime(user.blockedAt),
    createdAt: isoTime(user.createdAt),
    lastSeenAt: isoTime(user.lastSeenAt),
  };
  return JSON.stringify(record);
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
