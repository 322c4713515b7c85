// GET /api/admin/users/{id} and its lists: one person, what happened to them, their files and messages.

import { listFiles } from '../../../files/list-files.ts';
import { listMessages } from '../../../messages/list-messages.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { findOneUser } from '../../../support/find-one-user.ts';
import { subjectsOf } from '../../../support/recipient-limits.ts';
import { showLimits } from '../../../support/show-limits.ts';
import { showUser } from '../../../support/show-user.ts';
import { traceUser } from '../../../support/trace-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, nullable, object, text } from '../../interface/schema.ts';
import { fileRecord, toWire } from '../files/file-record.ts';
import {
  limitRecord,
  messageRecord,
  sessionRecord,
  timelineRecord,
  toEvent,
  toLimit,
  toMessage,
  toSession,
  toUserRecord,
  userIdOf,
  userParams,
  userRecord,
} from './present.ts';

const pageSize = 50;
const messageDays = 7;
const day = 86_400_000;
const page = object({}, { cursor: text({ maxLength: 128 }) });

export function adminShowUserRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show a person',
    description: 'Numbers and addresses are masked.',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    data: object({
      user: userRecord,
      sessions: list(sessionRecord),
      usage: object({ files: integer(), bytes: integer() }),
      limits: list(limitRecord),
    }),
    handle: async ({ params }) => {
      const { user, sessions, usage } = await showUser(deps, userIdOf(params));
      const limits = await Promise.all(subjectsOf(user).map((subject) => showLimits(deps, subject)));
      return {
        data: {
          user: toUserRecord(user),
          sessions: sessions.map((session) => toSession(session)),
          usage,
          limits: limits.flat().map(toLimit),
        },
      };
    },
  });
}

export function adminTimelineRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'What happened to a person',
    description: 'Newest first; “next” goes on further back.',
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
    summary: 'A person’s files',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: userParams,
    query: page,
    data: object({ files: list(fileRecord), next: nullable(text()) }),
    handle: async ({ params, query: { cursor } }) => {
      const { id: userId } = await findOneUser(deps, userIdOf(params));
      const { files, next } = await listFiles(deps, { userId, cursor, limit: pageSize });
      return { data: { files: files.map(toWire), next } };
    },
  });
}

export function adminMessagesRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Messages to a person',
    description: 'What was sent in the last seven days, waits or is parked; newest first.',
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
