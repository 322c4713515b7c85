// POST /api/admin/users/{id}/reveal and /export: masked data in full. The audit log gets name and reason before the data is shown.
import type { AppList } from '../../../apps/clients/app.ts';
import { staffView } from '../../../auth/directory/user-views.ts';
import type { StoredFile } from '../../../files/stored-file.ts';
import type { TrashedFile } from '../../../files/trash/trash.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { exportUser } from '../../../support/users/export-user.ts';
import { revealUser } from '../../../support/users/reveal-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, named, nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { fileFields, toFileRecord, toTrashedRecord, trashFields } from '../files/file-record.ts';
import { adminAppData, adminUser } from '../user-schemas.ts';
import {
  eventRecord,
  iso,
  phoneChangeRecord,
  reasonBody,
  sessionRecord,
  toEvent,
  toPhoneChangeOrNull,
  toSession,
  userIdOf,
  userParams,
} from './present.ts';

export function adminRevealRoute(deps: SupportDeps, apps: AppList) {
  return defineRoute({
    summary: 'Show a user’s phone number and addresses in full',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({
      user: adminUser,
      phoneChange: nullable(phoneChangeRecord),
      sessions: list(sessionRecord),
    }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { user, sessions, scheduled } = await revealUser(deps, { who: userIdOf(params), by });
      return {
        data: {
          user: staffView(user, true).account,
          phoneChange: toPhoneChangeOrNull(scheduled, true),
          sessions: sessions.map((session) => toSession(apps, session, true)),
        },
      };
    },
  });
}

const allowedApp = object({ id: text(), name: text(), scopes: list(text()), allowedAt: isoTime });

/** A file in the trash has a time of deletion. */
const exportedFile = named('ExportedFile', object(fileFields.required, { ...fileFields.optional, ...trashFields }));

function toExportedFile(file: StoredFile | TrashedFile) {
  return 'removedAt' in file ? toTrashedRecord(file) : toFileRecord(file);
}

export function adminExportRoute(deps: SupportDeps, apps: AppList) {
  return defineRoute({
    summary: 'Export all data of a user',
    description: 'Unmasked. The content of files is not included, nor the private metadata of the app.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({
      user: adminUser,
      lastUsedAt: isoTime,
      phoneChange: nullable(phoneChangeRecord),
      sessions: list(sessionRecord),
      files: list(exportedFile),
      timeline: list(eventRecord),
      app: adminAppData,
      allowedApps: list(allowedApp),
    }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const { user, sessions, files, timeline, lastUsedAt, scheduled, allowed } = await exportUser(deps, {
        who: userIdOf(params),
        by,
      });
      return {
        data: {
          user: staffView(user, true).account,
          lastUsedAt: iso(lastUsedAt),
          phoneChange: toPhoneChangeOrNull(scheduled, true),
          sessions: sessions.map((session) => toSession(apps, session, true)),
          files: files.map(toExportedFile),
          timeline: timeline.map((entry) => toEvent(entry, true)),
          app: staffView(user, true).appData,
          allowedApps: allowed.map(({ appId: id, scopes, createdAt }) => ({
            id,
            name: apps.find(id)?.name ?? id,
            scopes: [...scopes],
            allowedAt: iso(createdAt),
          })),
        },
      };
    },
  });
}
