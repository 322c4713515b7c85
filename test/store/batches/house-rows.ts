// Generated rows that belong to no user: messages, events, webhooks, staff, signing keys, the installation and the sweep.

import fc from 'fast-check';
import type { Counted, Mark } from '../../../src/abuse/counted.ts';
import { webhookStates } from '../../../src/backend/webhooks/webhook-queue.ts';
import { outboxStates } from '../../../src/messages/message-log.ts';
import { adminEnds } from '../../../src/support/staff/admin.ts';
import { asFileId } from '../../helpers/people/ids.ts';
import {
  adminIds,
  blobIds,
  day,
  emails,
  eventIds,
  favour,
  few,
  flag,
  hour,
  maybe,
  messageIds,
  minute,
  noon,
  phones,
  pick,
  second,
  serviceKeyIds,
  userIds,
  type ValueOf,
} from './pool.ts';
import { limits, messageCounters } from './rows.ts';
import { joined, type Rows, rowsFor } from './tables.ts';

/** No two at one time, so that the oldest is never a tie. */
export const messageDue = fc.constantFrom(-hour, 0, 2 * second, 10 * minute);

const counted = fc.record({
  ago: few(3),
  opened: flag,
  held: fc.subarray([...messageCounters]),
  hasUse: flag,
});

const message = fc.record({
  isSms: flag,
  state: pick(outboxStates),
  tries: few(3),
  doubts: few(1),
  due: messageDue,
  life: messageDue,
  counted: maybe(counted),
});

const outbox = rowsFor<'outbox', ValueOf<typeof message>>(
  messageIds,
  message,
  (id, { isSms, life, ...chosen }, at) => ({
    id,
    channel: isSms ? 'sms' : 'mail',
    kind: isSms ? 'phone-login' : 'login-link',
    payload: JSON.stringify({ to: isSms ? phones[at] : emails[at % emails.length], language: 'en' }),
    state: chosen.state,
    tries: chosen.tries,
    doubts: chosen.doubts,
    due_at: noon + chosen.due + at,
    created_at: noon - hour + at,
    expires_at: noon + hour + life,
    last_error: chosen.tries === 0 ? null : 'refused',
    counted: chosen.counted === undefined ? null : JSON.stringify(countedOf(id, chosen.counted)),
  }),
);

function countedOf(messageId: string, { ago, opened, held, hasUse }: ValueOf<typeof counted>): Counted {
  const isHeld = (mark: Mark) => mark[0] !== 'use' || hasUse;
  const back = held.filter((mark) => !isHeld(mark));
  return { at: noon - ago * 10 * minute, messageId, opened, held: held.filter(isHeld), back };
}

const inbox = rowsFor<'inbox', boolean>(messageIds, flag, (id, isSms, at) => ({
  id,
  channel: isSms ? 'sms' : 'mail',
  recipient: (isSms ? phones[at] : emails[at % emails.length]) ?? '',
  subject: isSms ? null : 'subject',
  text: `text ${at}`,
  html: null,
  created_at: noon - hour + at,
}));

const eventKinds = ['user.created', 'login.succeeded', 'user.deleted', 'otp.requested', 'backup.created'] as const;

const event = fc.record({
  kind: pick(eventKinds),
  userId: maybe(pick(userIds)),
  recipient: maybe(fc.constant('mark')),
  isAct: flag,
});

const events = rowsFor<'audit_events', ValueOf<typeof event>>(eventIds, event, (id, chosen, at) => ({
  id,
  kind: chosen.kind,
  user_id: chosen.userId ?? null,
  recipient: chosen.recipient ?? null,
  detail: JSON.stringify({ session: 's', method: 'sms', ...(chosen.isAct && { actor: 'cli', why: 'a test' }) }),
  order_no: null,
  position: null,
  created_at: noon - at * hour,
}));

const webhook = fc.record({
  state: pick(webhookStates),
  tries: few(2),
  due: messageDue,
  isInQueue: flag,
  user: favour(userIds),
});

const webhooks = rowsFor<'webhooks', ValueOf<typeof webhook>>(eventIds, webhook, (event_id, chosen, at) => ({
  id: `${event_id}.app`,
  event_id,
  endpoint: 'app',
  type: 'user.created',
  state: chosen.state,
  tries: chosen.tries,
  due_at: noon + chosen.due + at,
  created_at: noon - at * hour,
  done_at: chosen.state === 'delivered' || chosen.state === 'parked' ? noon - minute : null,
  last_error: chosen.tries === 0 ? null : 'status 500',
  line: chosen.isInQueue ? chosen.user : null,
}));

const admin = fc.record({
  isEntered: flag,
  linkLife: fc.constantFrom(-minute, minute, day),
  life: fc.constantFrom(-second, hour, day),
  end: fc.option(pick(adminEnds), { nil: null }),
  role: pick(['viewer', 'owner', 'a role of a later version', null]),
});

const admins = rowsFor<'admins', ValueOf<typeof admin>>(adminIds, admin, (id, chosen, at) => ({
  id,
  name: `staff ${at}`,
  link_hash: `link ${at}`,
  session_hash: chosen.isEntered ? `session ${at}` : null,
  created_at: noon - hour,
  link_ends_at: noon + chosen.linkLife,
  ends_at: noon + chosen.life,
  last_used_at: chosen.isEntered ? noon - minute : null,
  ended_at: chosen.end === null ? null : noon - minute,
  end_reason: chosen.end,
  role: chosen.role,
}));

const serviceKey = fc.record({
  scopes: pick(['users:read', 'users:read users:write', 'events:read later:scope']),
  life: fc.constantFrom(-100 * day, -second, second, day),
  revokedAgo: maybe(fc.constantFrom(minute, 91 * day)),
  usedAgo: maybe(fc.constantFrom(0, 59 * second, hour)),
});

const serviceKeys = rowsFor<'service_keys', ValueOf<typeof serviceKey>>(
  serviceKeyIds,
  serviceKey,
  (id, chosen, at) => ({
    id,
    name: `app ${at}`,
    secret_hash: `hash ${at}`,
    scopes: chosen.scopes,
    created_by: 'cli',
    created_at: noon - 101 * day,
    expires_at: chosen.revokedAgo === undefined ? noon + chosen.life : noon - chosen.revokedAgo,
    revoked_at: chosen.revokedAgo === undefined ? null : noon - chosen.revokedAgo,
    last_used_at: chosen.usedAgo === undefined ? null : noon - chosen.usedAgo,
  }),
);

const signingKeys = rowsFor<'signing_keys', null>(['1', '2', '3'], fc.constant(null), (generation) => ({
  generation: Number(generation),
  id: `signing key ${generation}`,
  public_key: 'public',
  private_key: 'private',
  created_at: noon - day,
  active_from: noon - day,
}));

const installation = rowsFor<'installation', null>(['this'], fc.constant(null), (slot) => ({
  slot,
  id: 'installation 0',
  created_at: noon - day,
}));

const sweep = fc.record({
  pass: favour([1, 0, 2]),
  place: favour(['', ...blobIds]),
  ended: fc.option(fc.constantFrom(hour, 7 * hour), { nil: null, freq: 2 }),
  counts: fc.record({ blobs: few(3).map((n) => n * 20), orphans: few(2).map((n) => n * 15), missing: few(1) }),
  last: fc.record({ blobs: few(3).map((n) => n * 20), orphans: few(2).map((n) => n * 15), missing: few(1) }),
  holder: favour(['node 0', 'node 1']),
  lease: fc.constantFrom(-minute, 2 * second, 4 * minute),
});

const sweeps = rowsFor<'blob_sweeps', ValueOf<typeof sweep>>(['files'], sweep, (slot, chosen) => ({
  slot,
  pass: chosen.pass,
  place: chosen.place,
  begun_at: noon - 8 * hour,
  ended_at: chosen.ended === null ? null : noon - chosen.ended,
  ...chosen.counts,
  last_blobs: chosen.last.blobs,
  last_orphans: chosen.last.orphans,
  last_missing: chosen.last.missing,
  holder: chosen.ended === null ? chosen.holder : '',
  lease_until: chosen.ended === null ? noon + chosen.lease : 0,
}));

const orphan = fc.record({ pass: few(2), age: few(1), isOurs: few(1), first: fc.constantFrom(minute, 2 * day) });

const orphans = rowsFor<'orphans', ValueOf<typeof orphan>>(blobIds, orphan, (id, { pass, age, isOurs, first }) => ({
  id: asFileId(id),
  first_seen_at: noon - first,
  first_pass: pass,
  last_pass: pass + age,
  is_ours: isOurs,
  sweep_at: noon + day,
}));

export const messageRows: fc.Arbitrary<Rows> = fc.record({ outbox, inbox });
export const countedRows = joined(messageRows, fc.record({ limits }));
export const eventRows: fc.Arbitrary<Rows> = fc.record({ audit_events: events, webhooks });
export const houseRows: fc.Arbitrary<Rows> = fc.record({
  admins,
  service_keys: serviceKeys,
  signing_keys: signingKeys,
  installation,
  blob_sweeps: sweeps,
  orphans,
});
