// GET /api/admin/users/{id} and its lists: one user with history, files and messages.

import type { AppList } from '../../../apps/clients/app.ts';
import { staffView } from '../../../auth/directory/user-views.ts';
import { listFiles } from '../../../files/list-files.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { listMessages } from '../../../support/list-messages.ts';
import { subjectsOf } from '../../../support/recipient-limits.ts';
import { showLimits } from '../../../support/show-limits.ts';
import { findOneUser } from '../../../support/users/find-one-user.ts';
import { showUser } from '../../../support/users/show-user.ts';
import { traceUser } from '../../../support/users/trace-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { filePage, toFileRecord } from '../files/file-record.ts';
import { adminUser } from '../user-schemas.ts';
import {
  iso,
  limitRecord,
  messageRecord,
  phoneChangeRecord,
  sessionRecord,
  timelineRecord,
  toEvent,
  toLimit,
  toMessage,
  toPhoneChangeOrNull,
  toSession,
  userIdOf,
  userParams,
} from './present.ts';

const pageSize = 50;
const messageDays = 7;
const day = 86_400_000;
const page = object({}, { cursor: text({ maxLength: 128 }) });

export function adminShowUserRoute(deps: SupportDeps, apps: AppList) {
  return defineRoute({
    summary: 'Show a user',
    description: 'Phone numbers and addresses are masked.',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    data: object({
      user: adminUser,
      lastUsedAt: isoTime,
      phoneChange: nullable(phoneChangeRecord),
      sessions: list(sessionRecord),
      usage: object({
        files: integer(),
        bytes: integer(),
        trash: object({ files: integer(), bytes: integer() }),
        reserved: object({ files: integer(), bytes: integer() }),
      }),
      limits: list(limitRecord),
    }),
    handle: async ({ params }) => {
      const { user, sessions, usage, lastUsedAt, scheduled } = await showUser(deps, userIdOf(params));
      const limits = await Promise.all(subjectsOf(user).map((subject) => showLimits(deps, subject)));
      return {
        data: {
          user: staffView(user, false).account,
          lastUsedAt: iso(lastUsedAt),
          phoneChange: toPhoneChangeOrNull(scheduled),
          sessions: sessions.map((session) => toSession(apps, session)),
          usage,
          limits: limits.flat().map(toLimit),
        },
      };
    },
  });
}

export function adminTimelineRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'List the events of a user',
    description: 'Newest first. “next” is the cursor of the next page.',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    query: page,
    data: timelineRecord,
    handle: async ({ params, query: { cursor } }) => {
      const user = await findOneUser(deps, userIdOf(params));
      const range = { since: 0, most: pageSize, ...(cursor !== undefined && { cursor }) };
      const { entries, next } = await traceUser(deps, user, range);
      return { data: { entries: entries.map((entry) => toEvent(entry)), next } };
    },
  });
}

export function adminFilesRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'List the files of a user',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    query: page,
    data: filePage,
    handle: async ({ params, query: { cursor } }) => {
      const { id: userId } = await findOneUser(deps, userIdOf(params));
      const { files, next } = await listFiles(deps, { userId, cursor, limit: pageSize });
      return { data: { files: files.map(toFileRecord), next } };
    },
  });
}

export function adminMessagesRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'List the messages to a user',
    description: 'Messages that were sent in the last seven days, are queued or are parked. Newest first.',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    data: object({ messages: list(messageRecord) }),
    handle: async ({ params }) => {
      const user = await findOneUser(deps, userIdOf(params));
      const range = { since: deps.clock.now() - messageDays * day, most: pageSize };
      const found = await Promise.all(subjectsOf(user).map(({ text: to }) => listMessages(deps, { to, ...range })));
      const messages = found.flat().sort((a, b) => b.at - a.at);
      return { data: { messages: messages.map(toMessage) } };
    },
  });
}
