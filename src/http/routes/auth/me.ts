// GET /api/auth/me: the caller's account.
import type { AuthDeps } from '../../../auth/deps.ts';
import { Failure } from '../../../kernel/failure.ts';
import { defineRoute } from '../../interface/route.ts';
import { nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export function meRoute({ users }: AuthDeps) {
  return defineRoute({
    summary: 'Show my account',
    success: 'ME',
    failures: [],
    data: object({
      id: text({ format: 'uuid' }),
      phone: text(),
      email: nullable(text()),
      createdAt: isoTime,
    }),
    example: {
      id: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11',
      phone: '+12025550123',
      email: null,
      createdAt: '2026-11-15T09:30:00.000Z',
    },
    handle: async ({ caller }) => {
      const user = await users.findUser(caller.userId);
      if (user === undefined) throw new Failure('SESSION_REVOKED');
      const { id, phone, email = null, createdAt } = user;
      return { data: { id, phone, email, createdAt: new Date(createdAt).toISOString() } };
    },
  });
}
