// Records of the admin interface: sessions, limits, messages and events, with phone numbers and addresses masked.

import type { AppList } from '../../../apps/clients/app.ts';
import { Failure } from '../../../kernel/failure.ts';
import { readUserId, type UserId } from '../../../kernel/ids.ts';
import { maskDetail, maskNetworkAddress, maskPhone } from '../../../kernel/text/mask.ts';
import { channels } from '../../../messages/channel.ts';
import type { LoggedMessage } from '../../../support/list-messages.ts';
import { limitKinds } from '../../../support/recipient-limits.ts';
import type { ShownLimit } from '../../../support/show-limits.ts';
import type { TimelineEntry } from '../../../support/trace-recipients.ts';
import type { PlacedSession, ShownChange } from '../../../support/users/show-user.ts';
import { anyObject, integer, list, named, nullable, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { sessionApp, toSessionApp } from '../session-app.ts';

export const reasonField = named(
  'Reason',
  text({
    minLength: 1,
    maxLength: 400,
    description: 'Why, for the audit log',
    examples: ['ticket 4711, phone lost'],
  }),
);

export const reasonBody = named('AdminReason', object({ reason: reasonField }));

export const userParams = object({ id: text({ description: 'User id' }) });

/** The scheduled change of the number. Its time is null while it waits to be announced again after a restore. */
export const phoneChangeRecord = named(
  'AdminPhoneChange',
  object({
    phone: text({ description: 'The new number; masked unless revealed' }),
    effectiveAt: nullable(isoTime),
  }),
);

export const sessionRecord = named(
  'AdminSession',
  object({
    id: text({ format: 'uuid' }),
    createdAt: isoTime,
    lastUsedAt: isoTime,
    userAgent: nullable(text()),
    address: nullable(text({ description: 'IP address at sign-in; masked unless revealed' })),
    app: sessionApp,
  }),
);

export const limitRecord = named(
  'AdminLimit',
  object({
    kind: oneOf(limitKinds),
    subject: text({ description: 'What is limited: a recipient, masked, or an IP address or network' }),
    hits: integer({ description: 'Number of hits in the current window' }),
    lastAt: nullable(isoTime),
    blockedSeconds: integer({ description: 'Seconds until the next attempt is allowed; 0 if it is allowed now' }),
  }),
);

export const messageRecord = named(
  'AdminMessage',
  object({
    id: text(),
    channel: nullable(oneOf(channels, { description: 'Null for a channel of a later version' })),
    kind: text(),
    to: text({ description: 'Masked' }),
    state: oneOf(['queued', 'sending', 'parked', 'sent']),
    provider: nullable(text()),
    error: nullable(text()),
    at: isoTime,
  }),
);

export const eventRecord = named('AdminEvent', object({ at: isoTime, kind: text(), detail: anyObject() }));

export const timelineRecord = named('AdminTimeline', object({ entries: list(eventRecord), next: nullable(text()) }));

export function userIdOf({ id }: { id: string }): UserId {
  const userId = readUserId(id);
  if (userId === undefined) throw new Failure('NOT_FOUND');
  return userId;
}

export function toPhoneChange({ phone, effectiveAt }: ShownChange, isRevealed = false) {
  return { phone: isRevealed ? phone : maskPhone(phone), effectiveAt: isoOrNull(effectiveAt) };
}

export function toPhoneChangeOrNull(scheduled: ShownChange | undefined, isRevealed = false) {
  return scheduled === undefined ? null : toPhoneChange(scheduled, isRevealed);
}

export function toSession(apps: AppList, session: PlacedSession, isRevealed = false) {
  const { id, createdAt, lastUsedAt, userAgent, address, appId } = session;
  return {
    id,
    createdAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
    userAgent: userAgent ?? null,
    address: address === undefined ? null : isRevealed ? address : maskNetworkAddress(address),
    app: toSessionApp(apps, appId),
  };
}

export function toLimit({ kind, subject, hits, lastAt, blockedSeconds }: ShownLimit) {
  return { kind, subject, hits, lastAt: isoOrNull(lastAt), blockedSeconds };
}

export function toMessage({ id, channel, kind, to, state, provider, error, at }: LoggedMessage) {
  const known = { id, channel: channel ?? null, kind, to, state };
  return { ...known, provider: provider ?? null, error: error ?? null, at: iso(at) };
}

export function toEvent({ at, kind, detail }: TimelineEntry, isRevealed = false) {
  return { at: iso(at), kind, detail: isRevealed ? detail : maskDetail(detail) };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : iso(at);
}
