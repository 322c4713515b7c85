// POST /api/admin/recipients/…: limits and history of a phone number, e-mail address or IP address, with or without a user.

import type { UserRecord } from '../../../auth/directory/user-directory.ts';
import { unreachable } from '../../../kernel/text/closed-list.ts';
import { clearLimits } from '../../../support/clear-limits.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { type LimitSubject, readLimitSubject } from '../../../support/recipient-limits.ts';
import { showLimits } from '../../../support/show-limits.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { traceRecipients } from '../../../support/trace-recipients.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, nullable, object, text } from '../../interface/schema.ts';
import { canonicalAddress } from '../../server/client-address.ts';
import { limitRecord, reasonField, timelineRecord, toEvent, toLimit } from './present.ts';

const pageSize = 50;

const whomField = text({
  minLength: 1,
  maxLength: 320,
  description: 'Phone number with its plus, e-mail address or IP address',
});

export function adminLookUpRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Look up a phone number, an e-mail address or an IP address',
    description: 'Shows its limits and its history. Works without an account too.',
    success: 'ADMIN_VIEW',
    failures: ['EMAIL_INVALID'],
    body: object({ whom: whomField }, { cursor: text({ maxLength: 128 }) }),
    data: object({
      userId: nullable(text({ description: 'The user to whom it belongs' })),
      limits: list(limitRecord),
      timeline: timelineRecord,
    }),
    handle: async ({ body: { whom, cursor } }) => {
      const subject = readLimitSubject(whom, canonicalAddress);
      const range = { since: 0, most: pageSize, ...(cursor !== undefined && { cursor }) };
      const [owner, limits, { entries, next }] = await Promise.all([
        ownersOf(deps, subject),
        showLimits(deps, subject),
        traceRecipients(deps, { recipients: [subject.text] }, range),
      ]);
      const timeline = { entries: entries.map((entry) => toEvent(entry)), next };
      return { data: { userId: owner[0]?.id ?? null, limits: limits.map(toLimit), timeline } };
    },
  });
}

/** At most one user. */
function ownersOf({ directory }: SupportDeps, subject: LimitSubject): Promise<UserRecord[]> | UserRecord[] {
  switch (subject.kind) {
    case 'phone':
      return directory.searchUsers({ by: 'phone', text: subject.text, most: 1 });
    case 'email':
      return directory.searchUsers({ by: 'email', text: subject.text, most: 1 });
    case 'address':
      return [];
    default:
      return unreachable(subject);
  }
}

export function adminClearRecipientRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Clear the limits of a phone number, an e-mail address or an IP address',
    success: 'ADMIN_ACTED',
    failures: ['EMAIL_INVALID'],
    body: object({ whom: whomField, reason: reasonField }),
    data: object({ cleared: integer() }),
    handle: async ({ body: { whom, reason }, admin }) => {
      const by = actOf(admin, reason);
      const cleared = await clearLimits(deps, { subject: readLimitSubject(whom, canonicalAddress), by });
      return { data: { cleared } };
    },
  });
}
