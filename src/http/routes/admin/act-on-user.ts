// POST /api/admin/users/{id}/…: what staff can do to a user. Every action needs a reason and is recorded in the audit log.

import { actOnUser } from '../../../auth/directory/act-on-user.ts';
import type { UserAct } from '../../../auth/directory/user-directory.ts';
import { endSession } from '../../../auth/sessions/end-session.ts';
import { parseSessionId } from '../../../auth/sessions/session-id.ts';
import { deleteFile } from '../../../files/trash/delete-file.ts';
import { parseUuid } from '../../../kernel/crypto/uuid.ts';
import { Failure } from '../../../kernel/failure.ts';
import { clearLimits } from '../../../support/clear-limits.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { subjectsOf } from '../../../support/recipient-limits.ts';
import { resendMessage } from '../../../support/resend-message.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { findOneUser } from '../../../support/users/find-one-user.ts';
import { removeUser } from '../../../support/users/remove-user.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, object, text } from '../../interface/schema.ts';
import { reasonBody, reasonField, userIdOf, userParams } from './present.ts';

export function adminActRoute(deps: SupportDeps, act: UserAct['act'], summary: string) {
  return defineRoute({
    summary,
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({ endedSessions: integer() }),
    handle: async ({ params, body, admin }) => {
      const input = { userId: userIdOf(params), act, by: actOf(admin, body.reason) };
      return { data: await actOnUser(deps, input) };
    },
  });
}

/** The staff member must type this many last characters of the id. */
const confirmCharacters = 4;

export function adminDeleteUserRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Delete a user and all their data',
    description: 'confirm: the last four characters of the user id, typed by the staff member.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: object({ reason: reasonField, confirm: text({ maxLength: 64 }) }),
    data: object({ endedSessions: integer(), deletedFiles: integer() }),
    handle: async ({ params, body, admin }) => {
      const userId = userIdOf(params);
      const by = actOf(admin, body.reason);
      if (body.confirm.trim().toLowerCase() !== userId.slice(-confirmCharacters))
        throw new Failure('REQUEST_INVALID', { field: 'confirm' });
      return { data: await removeUser(deps, { userId, by }) };
    },
  });
}

export function adminEndSessionRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'End one session of a user',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: object({ id: text(), session: text() }),
    body: reasonBody,
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const userId = userIdOf(params);
      const sessionId = parseSessionId(params.session);
      if (sessionId === undefined) throw new Failure('NOT_FOUND');
      await endSession(deps, { userId, sessionId, by });
      return { data: null };
    },
  });
}

export function adminDeleteFileRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Delete a file of a user',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND', 'FILE_NOT_FOUND'],
    params: object({ id: text(), file: text() }),
    body: reasonBody,
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      await deleteFile(deps, { userId: userIdOf(params), id: params.file, by });
      return { data: null };
    },
  });
}

export function adminResendRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Resend a parked or queued message',
    description: 'The message has the same code or link.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND', 'MESSAGE_GONE'],
    params: object({ id: text(), message: text() }),
    body: reasonBody,
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const user = await findOneUser(deps, userIdOf(params));
      const outbox = await Promise.all(
        subjectsOf(user).map(({ text: to }) => deps.messageLog.listOutbox({ to, most: 100 })),
      );
      // A message to another user counts as missing.
      const message = parseUuid(params.message);
      if (message === undefined || !outbox.flat().some(({ id }) => id === message)) throw new Failure('MESSAGE_GONE');
      const outcome = await resendMessage(deps, { id: message, userId: user.id, by });
      if (outcome !== 'queued') throw new Failure('MESSAGE_GONE');
      deps.wakeDelivery();
      return { data: null };
    },
  });
}

export function adminClearLimitsRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Clear the limits of a user',
    description:
      'Clears the limits of the phone number and the e-mail address, so that the user can try again at once.',
    success: 'ADMIN_ACTED',
    failures: ['NOT_FOUND'],
    params: userParams,
    body: reasonBody,
    data: object({ cleared: integer() }),
    handle: async ({ params, body, admin }) => {
      const by = actOf(admin, body.reason);
      const user = await findOneUser(deps, userIdOf(params));
      let cleared = 0;
      for (const subject of subjectsOf(user)) cleared += await clearLimits(deps, { subject, userId: user.id, by });
      return { data: { cleared } };
    },
  });
}
