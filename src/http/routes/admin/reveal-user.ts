// POST /api/admin/people/{id}/reveal and /export: what is masked, in full; written down with name and reason before it is shown.
import { actOf } from '../../../support/admin.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { exportPerson } from '../../../support/export-user.ts';
import { revealPerson } from '../../../support/reveal-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, object } from '../../interface/schema.ts';
import { fileRecord, toWire } from '../files/file-record.ts';
import {
  eventRecord,
  personId,
  personParams,
  personRecord,
  reasonBody,
  sessionRecord,
  toEvent,
  toPerson,
  toSession,
} from './present.ts';

export function adminRevealRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show a person’s number and addresses in full',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: personParams,
    body: reasonBody,
    data: object({ person: personRecord, sessions: list(sessionRecord) }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { person, sessions } = await revealPerson(deps, { who: personId(params), by });
      return {
        data: { person: toPerson(person, true), sessions: sessions.map((session) => toSession(session, true)) },
      };
    },
  });
}

export function adminExportRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Everything that is kept about a person',
    description: 'In full, but for the bytes of their files.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: personParams,
    body: reasonBody,
    data: object({
      person: personRecord,
      sessions: list(sessionRecord),
      files: list(fileRecord),
      timeline: list(eventRecord),
    }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { person, sessions, files, timeline } = await exportPerson(deps, { who: personId(params), by });
      return {
        data: {
          person: toPerson(person, true),
          sessions: sessions.map((session) => toSession(session, true)),
          files: files.map(toWire),
          timeline: timeline.map((entry) => toEvent(entry, true)),
        },
      };
    },
  });
}
