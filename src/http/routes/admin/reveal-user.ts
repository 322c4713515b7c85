// POST /api/admin/users/{id}/reveal and /export: masked data in full. The audit log gets name and reason before the data is shown.
import { actOf } from '../../../support/admin.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { exportUser } from '../../../support/export-user.ts';
import { revealUser } from '../../../support/reveal-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, object } from '../../interface/schema.ts';
import { fileRecord, toWire } from '../files/file-record.ts';
import {
  eventRecord,
  reasonBody,
  sessionRecord,
  toEvent,
  toSession,
  toUserRecord,
  userIdOf,
  userParams,
  userRecord,
} from './present.ts';

export function adminRevealRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show a user’s phone number and addresses in full',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({ user: userRecord, sessions: list(sessionRecord) }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { user, sessions } = await revealUser(deps, { who: userIdOf(params), by });
      return {
        data: { user: toUserRecord(user, true), sessions: sessions.map((session) => toSession(session, true)) },
      };
    },
  });
}

export function adminExportRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Export all data of a user',
    description: 'Unmasked. The content of files is not included.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({
      user: userRecord,
      sessions: list(sessionRecord),
      files: list(fileRecord),
      timeline: list(eventRecord),
    }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { user, sessions, files, timeline } = await exportUser(deps, { who: userIdOf(params), by });
      return {
        data: {
          user: toUserRecord(user, true),
          sessions: sessions.map((session) => toSession(session, true)),
          files: files.map(toWire),
          timeline: timeline.map((entry) => toEvent(entry, true)),
        },
      };
    },
  });
}
