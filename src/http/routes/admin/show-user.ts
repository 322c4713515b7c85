// GET /api/admin/people/{id} and its lists: one person, what happened to them, their files and messages.

import { listFiles } from '../../../files/list-files.ts';
import { listMessages } from '../../../messages/list-messages.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { findPerson } from '../../../support/find-one-user.ts';
import { subjectsOf } from '../../../support/recipient-limits.ts';
import { showLimits } from '../../../support/show-limits.ts';
import { showPerson } from '../../../support/show-user.ts';
import { tracePerson } from '../../../support/trace-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, nullable, object, text } from '../../interface/schema.ts';
import { fileRecord, toWire } from '../files/file-record.ts';
import {
  limitRecord,
  messageRecord,
  personId,
  personParams,
  personRecord,
  sessionRecord,
  timelineRecord,
  toEvent,
  toLimit,
  toMessage,
  toPerson,
  toSession,
} from './present.ts';

const pageSize = 50;
const messageDays = 7;
const day = 86_400_000;
const page = object({}, { cursor: text({ maxLength: 128 }) });

export function adminShowPersonRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show a person',
    description: 'Numbers and addresses are masked.',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: personParams,
    data: object({
      person: personRecord,
      sessions: list(sessionRecord),
      usage: object({ files: integer(), bytes: integer() }),
      limits: list(limitRecord),
    }),
    handle: async ({ params }) => {
      const { person, sessions, usage } = await showPerson(deps, personId(params));
      const limits = await Promise.all(subjectsOf(person).map((subject) => showLimits(deps, subject)));
      return {
        data: {
          person: toPerson(person),
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
    params: personParams,
    query: page,
    data: timelineRecord,
    handle: async ({ params, query: { cursor } }) => {
      const person = await findPerson(deps, personId(params));
      const range = { since: 0, most: pageSize, ...(cursor !== undefined && { cursor }) };
      const { entries, next } = await tracePerson(deps, person, range);
      return { data: { entries: entries.map((entry) => toEvent(entry)), next } };
    },
  });
}

export function adminFilesRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'A person’s files',
    success: 'ADMIN_VIEW',
    failures: ['NOT_FOUND'],
    params: personParams,
    query: page,
    data: object({ files: list(fileRecord), next: nullable(text()) }),
    handle: async ({ params, query: { cursor } }) => {
      const { id: userId } = await findPerson(deps, personId(params));
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
    params: personParams,
    data: object({ messages: list(messageRecord) }),
    handle: async ({ params }) => {
      const person = await findPerson(deps, personId(params));
      const range = { since: deps.clock.now() - messageDays * day, most: pageSize };
      const found = await Promise.all(subjectsOf(person).map(({ text: to }) => listMessages(deps, { to, ...range })));
      const messages = found.flat().sort((a, b) => b.at - a.at);
      return { data: { messages: messages.map(toMessage) } };
    },
  });
}
