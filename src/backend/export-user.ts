// A user as `gatehouse export users` writes them: everything that an import of the same file restores, on one line.
import type { EmailAddress } from '../auth/identity/email-address.ts';
import type { PhoneNumber } from '../auth/identity/phone-number.ts';

export type ExportedUser = {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly phone: PhoneNumber | undefined;
  readonly email: EmailAddress | undefined;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly blockedAt: number | undefined;
  /** JSON text, as it is stored. */
  readonly claims: string | undefined;
  readonly publicMetadata: string | undefined;
  readonly privateMetadata: string | undefined;
};

export type ExportStore = {
  /** In the order of the ids, after the given one. */
  listExported(page: { readonly after: string; readonly most: number }): Promise<ExportedUser[]>;
};

/** An address here was proved, so an import may take it over. */
export function writeExported(user: ExportedUser): string {
  const record = {
    id: user.id,
    phone: user.phone ?? null,
    email: user.email ?? null,
    emailVerified: user.email !== undefined,
    externalId: user.externalId ?? null,
    claims: readObject(user.claims),
    metadata: { public: readObject(user.publicMetadata), private: readObject(user.privateMetadata) },
    blockedAt: isoTime(user.blockedAt),
    createdAt: isoTime(user.createdAt),
    lastSeenAt: isoTime(user.lastSeenAt),
  };
  return JSON.stringify(record);
}

function readObject(text: string | undefined): unknown {
  return text === undefined ? {} : JSON.parse(text);
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
