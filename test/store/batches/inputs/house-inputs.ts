// Inputs of the operations on messages, events, webhooks, staff, signing keys, the installation and the sweeps.
import fc from 'fast-check';
import { channels } from '../../../../src/messages/channel.ts';
import { sweepTargets } from '../../../../src/store/engine/sweep-targets.ts';
import { adminEnds } from '../../../../src/support/staff/admin.ts';
import { allUserRows } from '../file-rows.ts';
import { countedRows, eventRows, houseRows, messageDue, messageRows } from '../house-rows.ts';
import { type AllInputs, inputsOf, noInput } from '../inputs.ts';
import {
  adminIds,
  blobIds,
  by,
  day,
  emails,
  eventIds,
  favour,
  few,
  flag,
  hour,
  idAt,
  maybe,
  messageIds,
  moment,
  momentOf,
  noon,
  phones,
  pick,
  times,
  userIds,
} from '../pool.ts';
import { countRows } from './count-inputs.ts';

const most = fc.integer({ min: 1, max: 3 });
const messageAt = fc.record({ id: favour(messageIds), at: moment });
const webhookIds = eventIds.map((id) => `${id}.app`);
const someWebhooks = fc.uniqueArray(favour(webhookIds), { maxLength: 2 });
const webhookAt = fc.record({ id: favour(webhookIds), at: moment });
const counts = fc.record({ blobs: few(3).map((n) => n * 20), orphans: few(2).map((n) => n * 15), missing: few(1) });
const blobs = fc.uniqueArray(favour(blobIds), { maxLength: 3 });
const recipients = maybe(pick([...phones, ...emails]));

/** Rows of every table that a sweep empties, some of them a hundred days old. */
const oldRows = fc
  .tuple(allUserRows, messageRows, countRows, houseRows)
  .map((all) => ({ ...all[0], ...all[1], ...all[2], ...all[3], receipts: [{ id: 'old receipt', sweep_at: 1 }] }));

const heldMessage = fc.oneof(
  fc.record({ id: favour(messageIds), heldUntil: times }),
  fc
    .tuple(fc.nat(messageIds.length - 1), messageDue)
    .map(([at, due]) => ({ id: messageIds[at] ?? '', heldUntil: noon + due + at })),
);

export const houseInputs = {
  'outbox.claim': inputsOf(
    messageRows,
    fc.record({ channel: pick(channels), most, leaseSeconds: pick([1, 60]), isProbe: flag, at: moment }),
    ({ at, isProbe, ...claim }, index) => ({
      ...claim,
      now: momentOf(at, index),
      ...(isProbe && { isProbe: true as const }),
    }),
  ),
  'outbox.claimExpired': inputsOf(
    messageRows,
    fc.record({ channel: pick(channels), most, leaseSeconds: pick([1, 60]), at: moment }),
    ({ at, ...claim }, index) => ({ ...claim, now: momentOf(at, index) + hour }),
  ),
  'outbox.finish': inputsOf(countedRows, favour(messageIds), (id) => id),
  'outbox.finishSent': inputsOf(
    countedRows,
    fc.array(
      fc.record({ id: favour(messageIds), isKept: flag, isLate: flag, text: pick(['one', 'two']), at: moment }),
      {
        maxLength: 3,
      },
    ),
    (sent, index) =>
      sent.map(({ id, isKept, isLate, text, at }, place) => {
        const now = momentOf(at, index);
        const isSms = place % 2 === 0;
        const kept = {
          id,
          channel: isSms ? ('sms' as const) : ('mail' as const),
          to: (isSms ? phones[0] : emails[0]) ?? '',
          ...(!isSms && { subject: 'subject', html: '<p>' }),
          text,
          createdAt: now,
        };
        return {
          id,
          detail: { provider: 'inbox' },
          now,
          ...(isLate && { isLate: true as const }),
          ...(isKept && { kept }),
        };
      }),
  ),
  'outbox.giveBack': inputsOf(messageRows, fc.array(heldMessage, { maxLength: 3 }), (held) => held),
  'outbox.begin': inputsOf(
    messageRows,
    fc.array(fc.record({ held: heldMessage, leaseSeconds: pick([1, 60]), at: moment }), { maxLength: 3 }),
    (begun, index) => begun.map(({ at, held, ...lease }) => ({ ...held, ...lease, now: momentOf(at, index) })),
  ),
  'outbox.retry': inputsOf(
    countedRows,
    fc.record({
      held: heldMessage,
      dueAt: times,
      error: pick(['refused', 'lost']),
      isTry: flag,
      isDoubtful: flag,
      isOutage: flag,
      isAboutRecipient: flag,
    }),
    ({ held, ...retry }) => ({ ...held, ...retry }),
  ),
  'outbox.park': inputsOf(
    countedRows,
    fc.record({ held: heldMessage, isDoubtful: flag, isAboutRecipient: flag, at: moment }),
    ({ at, held, ...parking }, index) => ({ ...held, ...parking, error: `reason ${at}`, now: momentOf(at, index) }),
  ),
  'outbox.setAside': inputsOf(
    countedRows,
    fc.record({ channel: pick(channels), before: times, most }),
    (input) => input,
  ),
  'outbox.measure': noInput(messageRows),
  'messageLog.listOutbox': inputsOf(messageRows, fc.record({ to: recipients, most }), (listing) => listing),
  'messageLog.resend': inputsOf(countedRows, messageAt, ({ id, at }, index) => ({ id, by, now: momentOf(at, index) })),
  'inbox.list': inputsOf(messageRows, fc.record({ to: recipients, most }), (listing) => listing),

  'audit.record': inputsOf(
    eventRows,
    fc.record({ kind: pick(['user.created', 'user.exported'] as const), userId: maybe(favour(userIds)), at: moment }),
    ({ kind, userId, at }, index) => ({
      kind,
      ...(userId !== undefined && { userId }),
      detail: { place: index },
      now: momentOf(at, index),
    }),
  ),
  'audit.list': inputsOf(
    eventRows,
    fc.oneof(
      fc.record({ userId: favour(userIds), since: times.map((time) => time - hour), most }),
      fc.record({ recipient: fc.constant('mark'), since: fc.constant(0), most, before: favour(eventIds) }),
      fc.record({ acts: fc.constant(true as const), since: fc.constant(0), most }),
      fc.record({ kind: fc.constant('user.created' as const), since: fc.constant(0), most }),
    ),
    (query) => query,
  ),
  'journal.list': inputsOf(eventRows, fc.record({ after: pick(['', ...eventIds]), most }), (input) => input),
  'journal.note': inputsOf(countRows, moment, (at, index) => ({ now: momentOf(at, index) })),
  'journal.readBackupTimes': noInput(countRows),
  'journal.findLastEvent': inputsOf(eventRows, pick(['backup.created', 'user.created'] as const), (kind) => kind),
  'webhooks.look': inputsOf(eventRows, fc.record({ endpoint: pick(['app', 'gone']), at: moment }), (chosen, index) => ({
    endpoint: chosen.endpoint,
    now: momentOf(chosen.at, index),
  })),
  'webhooks.queueUp': inputsOf(
    eventRows,
    fc.record({ endpoint: pick(['app', 'gone']), most, at: moment }),
    ({ at, ...input }, index) => ({ ...input, now: momentOf(at, index) }),
  ),
  'webhooks.claim': inputsOf(
    eventRows,
    fc.record({
      endpoint: pick(['app', 'app', 'gone']),
      most,
      mostOfQueue: most,
      after: pick(['', ...userIds]),
      except: fc.uniqueArray(favour(userIds), { maxLength: 2 }),
      leaseSeconds: pick([1, 60]),
      at: moment,
    }),
    ({ at, ...claim }, index) => ({ ...claim, now: momentOf(at, index) }),
  ),
  'webhooks.finish': inputsOf(eventRows, webhookAt, ({ id, at }, index) => ({ id, now: momentOf(at, index) })),
  'webhooks.retry': inputsOf(
    eventRows,
    fc.record({ id: favour(webhookIds), dueAt: times, behind: someWebhooks }),
    ({ id, behind, dueAt }, index) => ({
      id,
      behind: behind.filter((other) => other !== id),
      dueAt,
      error: `reason ${index}`,
    }),
  ),
  'webhooks.release': inputsOf(eventRows, fc.record({ ids: someWebhooks, dueAt: times }), (release) => release),
  'webhooks.park': inputsOf(eventRows, webhookAt, ({ id, at }, index) => ({
    id,
    error: `reason ${index}`,
    now: momentOf(at, index),
  })),
  'webhooks.limit': inputsOf(
    eventRows,
    fc.record({ endpoint: pick(['app', 'app', 'gone']), most: pick([1, 2, 100]), at: moment }),
    ({ at, endpoint, most: bound }, index) => ({ endpoint, most: bound, room: bound, now: momentOf(at, index) }),
  ),
  'webhooks.measure': noInput(eventRows),
  'webhookLog.list': inputsOf(
    eventRows,
    fc.record({ since: times.map((time) => time - hour), most }),
    (listing) => listing,
  ),
  'webhookLog.replay': inputsOf(
    eventRows,
    fc.record({
      ids: maybe(fc.uniqueArray(favour(eventIds), { maxLength: 2 })),
      since: maybe(times.map((time) => time - hour)),
      after: maybe(favour(eventIds)),
      most,
      at: moment,
    }),
    ({ ids, since, after, most: count, at }, index) => ({
      ...(ids !== undefined && { ids }),
      ...(since !== undefined && { since }),
      ...(after !== undefined && { after }),
      most: count,
      endpoints: ['app'],
      now: momentOf(at, index),
    }),
  ),

  'admins.issue': inputsOf(houseRows, moment, (at, index) => {
    const createdAt = momentOf(at, index);
    const ends = { linkEndsAt: createdAt + hour, endsAt: createdAt + 8 * hour };
    return {
      id: idAt(0, `adm${index}`),
      name: 'new',
      role: 'support',
      linkHash: `new link ${index}`,
      createdAt,
      ...ends,
    };
  }),
  'admins.enter': inputsOf(
    houseRows,
    fc.record({ admin: favour([0, 1, 2, 3]), at: moment }),
    ({ admin, at }, index) => ({
      linkHash: `link ${admin}`,
      sessionHash: `new session ${index}`,
      now: momentOf(at, index),
    }),
  ),
  'admins.find': inputsOf(houseRows, few(3), (admin) => `session ${admin}`),
  'admins.touch': inputsOf(houseRows, fc.record({ id: favour(adminIds), at: moment }), ({ id, at }, index) => ({
    id,
    now: momentOf(at, index),
  })),
  'admins.end': inputsOf(
    houseRows,
    fc.record({ id: favour(adminIds), reason: pick(adminEnds), isOther: flag, at: moment }),
    ({ id, reason, isOther, at }, index) => ({ id, reason, ...(isOther && { by }), now: momentOf(at, index) }),
  ),
  'admins.list': inputsOf(houseRows, most, (count) => count),
  'admins.hasAny': noInput(houseRows),
  'signingKeys.listKeys': noInput(houseRows),
  'signingKeys.addKey': inputsOf(
    houseRows,
    fc.record({ generation: fc.integer({ min: 1, max: 5 }), isOther: flag, at: moment }),
    ({ generation, isOther, at }, index) => {
      const createdAt = momentOf(at, index);
      const keys = { publicKey: 'new public', privateKey: 'new private', createdAt, activeFrom: createdAt };
      return { generation, id: `new key ${index}`, ...keys, ...(isOther && { by }) };
    },
  ),
  'signingKeys.removeKey': inputsOf(
    houseRows,
    fc.record({ key: fc.integer({ min: 1, max: 4 }), at: moment }),
    ({ key, at }, index) => ({ id: `signing key ${key}`, by, now: momentOf(at, index) }),
  ),
  'installations.find': noInput(houseRows),
  'installations.claim': inputsOf(houseRows, moment, (at, index) => ({
    id: `new installation ${index}`,
    now: momentOf(at, index),
  })),
  'installations.adopt': inputsOf(
    houseRows,
    fc.record({ before: maybe(pick(['one'])), at: moment }),
    (chosen, index) => ({
      id: `new installation ${index}`,
      before: chosen.before,
      by,
      now: momentOf(chosen.at, index),
    }),
  ),
  'installations.measure': noInput(allUserRows),
  'sweeps.claim': inputsOf(houseRows, fc.record({ holder: few(1), at: moment }), ({ holder, at }, index) => ({
    holder: `node ${holder}`,
    now: momentOf(at, index),
  })),
  'sweeps.advance': inputsOf(
    houseRows,
    fc.record({
      counts,
      holder: favour([0, 1]),
      pass: favour([1, 0, 2]),
      from: favour([0, 1, 2, 3, 4]),
      steps: few(1),
      isLast: fc.constantFrom(false, false, true),
      at: moment,
    }),
    ({ counts: found, holder, pass, from, steps, isLast, at }, index) => {
      const places = ['', ...blobIds];
      const to = isLast ? undefined : places[Math.min(from + steps, 4)];
      const step = { holder: `node ${holder}`, pass, from: places[from] ?? '', to, now: momentOf(at, index) };
      return { ...found, ...step };
    },
  ),
  'sweeps.read': noInput(houseRows),
  'sweeps.recount': inputsOf(houseRows, fc.record({ counts, at: moment }), ({ counts: found, at }, index) => ({
    ...found,
    now: momentOf(at, index),
  })),
  'sweeps.note': inputsOf(
    houseRows,
    fc.record({ ids: blobs, pass: few(3), at: moment }),
    ({ at, ...sight }, index) => ({
      ...sight,
      now: momentOf(at, index) + (index % 2) * day,
    }),
  ),
  'sweeps.forget': inputsOf(houseRows, blobs, (ids) => ids),
  'journal.tryWriting': noInput(houseRows),
  'tables.sweep': inputsOf(
    oldRows,
    fc.record({ target: pick(sweepTargets), most: pick([1, 2, 100]), days: pick([0, 1, 8, 100]) }),
    ({ target, most: count, days }, index) => ({
      target,
      most: count,
      // The receipts of the runs themselves have the machine's own time, and must stay.
      now: target === 'receipts' ? 2 : noon + days * day + index,
      accessTokenLifeSeconds: 900,
    }),
  ),
} satisfies Partial<AllInputs>;
