// A user in the answers of the API, as the views of `auth/directory/user-views.ts` give one, and what the back end may change of it.

import type { accountView, backendView, staffView } from '../../auth/directory/user-views.ts';
import { type GivenUserData, longestExternalId } from '../../backend/user-data.ts';
import { anyObject, named, nullable, object, type Schema, text } from '../interface/schema.ts';
import { isoTime } from './fields.ts';

type Account = ReturnType<typeof accountView>;
type StaffView = ReturnType<typeof staffView>;
type BackendView = ReturnType<typeof backendView>;

export const account = named(
  'Account',
  object({
    id: text({ format: 'uuid' }),
    phone: nullable(text()),
    email: nullable(text()),
    createdAt: isoTime,
    metadata: anyObject({ description: 'What the app stores for its users to read' }),
  } satisfies Record<keyof Account, Schema>),
);

export const accountExample = {
  id: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  phone: '+12025550123',
  email: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  metadata: {},
} satisfies Record<keyof Account, unknown>;

export const adminUser = named(
  'AdminUser',
  object({
    id: text({ format: 'uuid' }),
    phone: nullable(text({ description: 'Masked unless revealed' })),
    email: nullable(text({ description: 'Masked unless revealed' })),
    createdAt: isoTime,
    blockedAt: nullable(isoTime),
  } satisfies Record<keyof StaffView['account'], Schema>),
);

export const adminAppData = object({
  externalId: nullable(text()),
  claims: anyObject(),
  metadata: anyObject(),
} satisfies Record<keyof StaffView['appData'], Schema>);

export const backendUser = named(
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
  } satisfies Record<keyof BackendView, Schema>),
);

export const backendUserExample = {
  id: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  phone: '+12025550123',
  email: null,
  externalId: 'customer-4711',
  claims: { plan: 'pro' },
  metadata: { public: { theme: 'dark' }, private: { score: 7 } },
  blockedAt: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  lastSeenAt: '2026-11-16T18:05:00.000Z',
} satisfies Record<keyof BackendView, unknown>;

/** What the back end may change. */
export const userDataBody = object({}, {
  externalId: nullable(text({ minLength: 1, maxLength: longestExternalId })),
  claims: nullable(anyObject()),
  metadata: nullable(object({}, { public: nullable(anyObject()), private: nullable(anyObject()) })),
} satisfies Record<keyof GivenUserData, Schema>);
