// Use case: list the events of one user, newest first: requests, messages, wrong codes, sign-ins and actions of staff.

import type { UserRecord } from '../../auth/directory/user-directory.ts';
import { subjectsOf } from '../recipient-limits.ts';
import { type Timeline, type TimelineRange, type TraceDeps, traceRecipients } from '../trace-recipients.ts';

export async function traceUser(deps: TraceDeps, user: UserRecord, range: TimelineRange): Promise<Timeline> {
  const recipients = subjectsOf(user).map(({ text }) => text);
  return traceRecipients(deps, { userId: user.id, recipients }, range);
}
