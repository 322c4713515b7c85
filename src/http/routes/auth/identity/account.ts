// The account of the caller as routes show it.

import type { User } from '../../../../auth/identity/user.ts';
import type { NoFieldLeft } from '../../../../kernel/text/no-field-left.ts';
import { anyObject, named, nullable, object, type Schema, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';

export const account = named(
  'Account',
  object({
    id: text({ format: 'uuid' }),
    phone: nullable(text()),
    email: nullable(text()),
    createdAt: isoTime,
    metadata: anyObject({ description: 'What the app stores for its users to read' }),
  } satisfies Record<keyof ReturnType<typeof presentAccount>, Schema>),
);

export const accountExample = {
  id: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
  phone: '+12025550123',
  email: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  metadata: {},
} satisfies Record<keyof ReturnType<typeof presentAccount>, unknown>;

/** Every field of the user is shown here, or left out by its name. */
export function presentAccount({ id, phone, email, createdAt, publicMetadata, ...rest }: User) {
  rest satisfies NoFieldLeft;
  return {
    id,
    phone: phone ?? null,
    email: email ?? null,
    createdAt: new Date(createdAt).toISOString(),
    metadata: publicMetadata,
  };
}
