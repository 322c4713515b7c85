// A user as the back end of an app sees them: schema, example and conversion.

import type { BackendUser } from '../../../backend/backend-user.ts';
import { type GivenUserData, longestExternalId } from '../../../backend/user-data.ts';
import type { NoFieldLeft } from '../../../kernel/text/no-field-left.ts';
import { anyObject, named, nullable, object, type Schema, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export const userRecord = named(
  'User',
  object({
    id: text({ format: 'uuid' }),
    phone: nullable(text({ description: 'In E.164 format' })),
    email: nullable(text()),
    externalId: nullable(text({ description: 'The id that the app gave the user. No two users have the same' })),
    claims: anyObject({ description: 'In the access token under “app”, from the next refresh or sign-in on' }),
    metadata: object({
      public: anyObject({ description: 'The user reads it with their account' }),
      private: anyObject({ description: 'Only the back end reads it' }),
    }),
    blockedAt: nullable(isoTime),
    createdAt: isoTime,
    lastSeenAt: text({ format: 'date-time', description: 'The last sign-in or refresh, as far as it is recorded' }),
  } satisfies Record<keyof ReturnType<typeof toUserRecord>, Schema>),
);

/** What the back end may change. */
export const userDataBody = object({}, {
  externalId: nullable(text({ minLength: 1, maxLength: longestExternalId })),
  claims: nullable(anyObject()),
  metadata: nullable(object({}, { public: nullable(anyObject()), private: nullable(anyObject()) })),
} satisfies Record<keyof GivenUserData, Schema>);

export const userRecordExample = {
  id: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  phone: '+12025550123',
  email: null,
  externalId: 'customer-4711',
  claims: { plan: 'pro' },
  metadata: { public: { theme: 'dark' }, private: { score: 7 } },
  blockedAt: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  lastSeenAt: '2026-11-16T18:05:00.000Z',
} satisfies Record<keyof ReturnType<typeof toUserRecord>, unknown>;

/** Every field of the user is shown here, or left out by its name. */
export function toUserRecord(user: BackendUser) {
  const { id, phone, email, externalId, claims, publicMetadata, privateMetadata, ...others } = user;
  const { blockedAt, createdAt, lastSeenAt, ...rest } = others;
  rest satisfies NoFieldLeft;
  return {
    id,
    phone: phone ?? null,
    email: email ?? null,
    externalId: externalId ?? null,
    claims,
    metadata: { public: publicMetadata, private: privateMetadata },
    blockedAt: blockedAt === undefined ? null : iso(blockedAt),
    createdAt: iso(createdAt),
    lastSeenAt: iso(lastSeenAt),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
