// The rows of users: what a whole row becomes, and what a new user starts with. Who changes single columns names them.
import type { BackendUser, UserRecord } from '../../../../auth/directory/user-directory.ts';
import type { User } from '../../../../auth/identity/user.ts';
import { type ImportedFields, noImportedFields, type UserDraft } from '../../../../backend/import-user.ts';
import { noUserData, type UserData, type UserDataField } from '../../../../backend/user-data.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import type { PhoneNumber } from '../../../../kernel/recipient.ts';
import type { Row } from '../../../engine/schema.ts';
import { readJson } from '../../stored-json.ts';

type UserRow = Row<'users'>;

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    phone: row.phone ?? undefined,
    email: row.email ?? undefined,
    createdAt: row.created_at,
    publicMetadata: readJson(row.metadata_public),
  };
}

export function toUserRecord(row: UserRow): UserRecord {
  return {
    ...toUser(row),
    blockedAt: row.blocked_at ?? undefined,
    externalId: row.external_id ?? undefined,
    claims: readJson(row.claims),
  };
}

/** `uses`: when users were seen last, by their ids. */
export function toBackendUser(row: UserRow, uses: ReadonlyMap<string, number>): BackendUser {
  const lastSeenAt = uses.get(row.id) ?? row.created_at;
  return { ...toUserRecord(row), privateMetadata: readJson(row.metadata_private), lastSeenAt };
}

export function toUserData(row: UserRow): UserData {
  return {
    externalId: row.external_id,
    claims: row.claims,
    'metadata.public': row.metadata_public,
    'metadata.private': row.metadata_private,
  };
}

export function userDataColumns<T>(data: Readonly<Record<UserDataField, T>>) {
  return {
    external_id: data.externalId,
    claims: data.claims,
    metadata_public: data['metadata.public'],
    metadata_private: data['metadata.private'],
  };
}

export function toImportedFields(row: UserRow): ImportedFields {
  return { ...toUserData(row), phone: row.phone, email: row.email, emailKey: row.email_key };
}

export function importedColumns(fields: ImportedFields) {
  const ways = { phone: fields.phone, email: fields.email, email_key: fields.emailKey };
  return { ...ways, ...userDataColumns(fields) };
}

export const importedColumnNames = Object.keys(importedColumns(noImportedFields)) as readonly (keyof ReturnType<
  typeof importedColumns
>)[];

export const noScheduledPhone = { next_phone: null, next_phone_at: null, next_phone_language: null } as const;

export function importedUser(draft: UserDraft): UserRow {
  const times = { created_at: draft.createdAt, seen_at: draft.seenAt, blocked_at: draft.blockedAt };
  return { id: draft.id, ...importedColumns(draft), ...times, ...noScheduledPhone };
}

export function newUser(id: UserId, phone: PhoneNumber, now: number): UserRow {
  const none = { email: null, email_key: null, blocked_at: null, ...noScheduledPhone, ...userDataColumns(noUserData) };
  return { id, phone, ...none, created_at: now, seen_at: now };
}
