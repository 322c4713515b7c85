// What users allowed apps to see, and the end of sessions of apps: by the user who withdraws it, or by the app itself.

import type { AppEnding, Consent, NewConsent, Withdrawal } from '../../../apps/app-store.ts';
import { readScopes, writeScopes } from '../../../apps/clients/app.ts';
import { addConsent, consentedEvent, withdrawnEnd, withdrawnEvents } from '../../../apps/consents/consent.ts';
import type { SessionId } from '../../../auth/sessions/session-id.ts';
import { chooseEnded, endedEvents } from '../../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { insert, listBy, openRows, update } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { sql } from '../../engine/sql.ts';
import { statement } from '../../engine/statement.ts';
import { operation, reading } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { openLiveSessions, toEndable } from '../auth/sessions/live-sessions.ts';

type ConsentRow = Row<'app_consents'>;

/** Users are locked first, so that two consents of one user follow each other, and none is left behind by a deletion. */
export const saveConsent = operation(async (transaction, inputs: readonly NewConsent[]): Promise<undefined[]> => {
  const userIds = [...new Set(inputs.map((input) => input.userId))];
  const wanted = userIds.map((userId) => ({ user_id: userId }));
  const [users, stored] = await Promise.all([
    openRows(transaction, 'users', 'id', userIds),
    transaction.all(lockConsents, { wanted }),
  ]);
  const known = new Map(stored.map((row) => [keyOf(row), row]));
  const changed = new Map<string, ConsentRow>();
  const events: DatedEvent[] = [];
  for (const input of inputs) {
    const { userId, appId, now } = input;
    if (users.get(userId) === undefined) continue;
    const key = keyOf({ user_id: userId, app_id: appId });
    const before = changed.get(key) ?? known.get(key);
    const scopes = writeScopes(addConsent(before && toConsent(before), input));
    changed.set(key, { user_id: userId, app_id: appId, scopes, created_at: now });
    events.push(consentedEvent(input));
  }
  const rows = [...changed.values()];
  await insert(
    transaction,
    'app_consents',
    rows.filter((row) => !known.has(keyOf(row))),
  );
  await update(
    transaction,
    'app_consents',
    rows.filter((row) => known.has(keyOf(row))),
    ['scopes', 'created_at'],
  );
  await writeAudit(transaction, events);
  return inputs.map(() => undefined);
});

export const listConsents = reading(async (transaction, userIds: readonly UserId[]): Promise<Consent[][]> => {
  const rows = await listBy(transaction, 'app_consents', 'user_id', userIds);
  const byUser = Map.groupBy(
    rows.toSorted((a, b) => (a.app_id < b.app_id ? -1 : 1)),
    (row) => row.user_id,
  );
  return userIds.map((userId) => (byUser.get(userId) ?? []).map(toConsent));
});

/** Codes go too: one that was given before the withdrawal must not become a session after it. */
export const withdrawConsent = operation(async (transaction, inputs: readonly Withdrawal[]): Promise<SessionId[][]> => {
  const userIds = [...new Set(inputs.map((input) => input.userId))];
  const wanted = userIds.map((userId) => ({ user_id: userId }));
  const pairs = inputs.map(({ userId, appId }) => ({ user_id: userId, app_id: appId }));
  await openRows(transaction, 'users', 'id', userIds);
  await transaction.run(removeCodes, { wanted: pairs });
  const consents = new Set((await transaction.all(lockConsents, { wanted })).map(keyOf));
  await transaction.run(removeConsents, { wanted: pairs });
  const sessions = await openLiveSessions(transaction, userIds);
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const { userId, appId, now } = input;
    const ofApp = sessions.of(userId).filter((row) => row.app_id === appId);
    const ended = ofApp.flatMap((row) =>
      sessions.end({ userId, sessionId: row.id, scope: 'this', reason: withdrawnEnd, now }),
    );
    const hadConsent = consents.delete(keyOf({ user_id: userId, app_id: appId }));
    events.push(...withdrawnEvents(input, hadConsent, ended));
    return ended;
  });
  await sessions.save();
  await writeAudit(transaction, events);
  return outputs;
});

export const endSession = operation(async (transaction, inputs: readonly AppEnding[]): Promise<SessionId[][]> => {
  const sessions = await openRows(
    transaction,
    'sessions',
    'id',
    inputs.map((input) => input.sessionId),
  );
  const events: DatedEvent[] = [];
  const outputs = inputs.map(({ sessionId, appId, seedHash, now }) => {
    const row = sessions.get(sessionId);
    const isTheirs = row?.app_id === appId && (seedHash === undefined || row.seed_hash === seedHash);
    if (!isTheirs || row.ended_at !== null) return [];
    const ending = { userId: row.user_id, sessionId, scope: 'this', reason: 'logged out', now } as const;
    const chosen = chooseEnded([toEndable(row)], ending);
    for (const { reason } of chosen) sessions.put({ ...row, ended_at: now, end_reason: reason });
    const ended = chosen.filter(({ wasAlive }) => wasAlive).map(({ id }) => id);
    events.push(...endedEvents(ending, ended));
    return ended;
  });
  await sessions.save();
  await writeAudit(transaction, events);
  return outputs;
});

function keyOf({ user_id, app_id }: Pick<ConsentRow, 'user_id' | 'app_id'>): string {
  return `${user_id} ${app_id}`;
}

export function toConsent(row: ConsentRow): Consent {
  return { appId: row.app_id, scopes: readScopes(row.scopes), createdAt: row.created_at };
}

/** A user has few: one for each app. */
const lockConsents = statement<ConsentRow>(({ all, isAmong, lock }) => {
  const isTheirs = isAmong('app_consents', 'user_id', 'wanted');
  return sql`select ${all('app_consents')} from app_consents where ${isTheirs} order by user_id, app_id ${lock()}`;
});

const removeConsents = statement<never>(({ isAmong, rows }) => {
  const isTheirs = isAmong('app_consents', 'user_id', 'wanted');
  const input = rows('wanted', 'app_consents', ['user_id', 'app_id']);
  return sql`delete from app_consents where ${isTheirs} and exists (select 1 from ${input} as input
    where input.user_id = app_consents.user_id and input.app_id = app_consents.app_id)`;
});

const removeCodes = statement<never>(({ isAmong, lockedWhere, rows }) => {
  const input = rows('wanted', 'app_codes', ['user_id', 'app_id']);
  const isTheirs = sql`${isAmong('app_codes', 'user_id', 'wanted')} and exists (select 1 from ${input} as input
    where input.user_id = app_codes.user_id and input.app_id = app_codes.app_id)`;
  return sql`delete from app_codes where ${lockedWhere('app_codes', isTheirs)}`;
});
