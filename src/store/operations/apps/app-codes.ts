// The codes of apps: a session of this service gives one, and the app turns it into a session of its own.

import type {
  Authorization,
  AuthorizationOutcome,
  CodeExchange,
  ExchangeOutcome,
  StartedAppSession,
} from '../../../apps/app-store.ts';
import { type AppScope, readScopes, writeScopes } from '../../../apps/clients/app.ts';
import {
  type AuthorizingSession,
  appSignedInEvent,
  codeKeptUntil,
  codeReusedEvent,
  covers,
  judgeAuthorization,
  judgeExchange,
  type StoredCode,
} from '../../../apps/tokens/app-code.ts';
import { signInMethods } from '../../../auth/sessions/session.ts';
import { chooseEvicted, evictedEvent, extendSession, isAlive } from '../../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import { readWord } from '../../../kernel/text/closed-list.ts';
import { insert, listBy, openRows } from '../../engine/rows.ts';
import type { Row } from '../../engine/schema.ts';
import { operation } from '../../engine/transaction.ts';
import { writeAudit } from '../audit.ts';
import { toUser } from '../auth/identity/user-rows.ts';
import { type LiveSessions, openLiveSessions } from '../auth/sessions/live-sessions.ts';
import { newSession } from '../auth/sessions/session-rows.ts';
import { lastProofOf } from '../auth/sessions/sessions.ts';
import { isBlocked } from '../auth/sign-in/sign-ins.ts';
import { sessionsWithUsers } from '../backend/backend-users.ts';
import { readJson } from '../stored-json.ts';
import { toConsent } from './app-consents.ts';

/**
 * The session is locked, its user is not: a user who is blocked or deleted meanwhile loses the session, and the code is worth
 * nothing without it.
 */
export const authorize = operation(
  async (transaction, inputs: readonly Authorization[]): Promise<AuthorizationOutcome[]> => {
    const ids = inputs.map((input) => input.sessionId);
    const [sessions, owners] = await Promise.all([
      openRows(transaction, 'sessions', 'id', ids),
      transaction.all(sessionsWithUsers, { wanted: [...new Set(ids)].map((id) => ({ id })) }),
    ]);
    const free = new Set(owners.filter(({ standing }) => standing === 'free').map(({ id }) => id));
    const asked = inputs.filter((input) => (input.consentedAfter ?? input.actedAfter) !== undefined);
    const consents = await listBy(
      transaction,
      'app_consents',
      'user_id',
      asked.flatMap(({ sessionId }) => sessions.get(sessionId)?.user_id ?? []),
    );
    const codes: Row<'app_codes'>[] = [];
    const outcomes = inputs.map((input): AuthorizationOutcome => {
      const { sessionId, appId, policy, now } = input;
      const row = sessions.get(sessionId);
      const consent = consents.find((each) => each.user_id === row?.user_id && each.app_id === appId);
      const session = row && toAuthorizing(row, free.has(row.id));
      const kind = judgeAuthorization(session, consent && toConsent(consent), input);
      if (row === undefined || kind !== 'issued') return { kind };
      const expiresAt = extendSession(policy, row.ends_at, now);
      sessions.put({ ...row, last_used_at: now, expires_at: expiresAt });
      codes.push(newCode(row, input));
      return { kind };
    });
    await Promise.all([sessions.save(), insert(transaction, 'app_codes', codes)]);
    return outcomes;
  },
);

function toAuthorizing(row: Row<'sessions'>, isUserFree: boolean): AuthorizingSession {
  const state = { hasEnded: row.ended_at !== null, isOfApp: row.app_id !== null, isUserFree };
  return { ...lastProofOf(row), expiresAt: row.expires_at, ...state };
}

function newCode(parent: Row<'sessions'>, input: Authorization): Row<'app_codes'> {
  return {
    code_hash: input.codeHash,
    app_id: input.appId,
    user_id: parent.user_id,
    parent_id: parent.id,
    redirect_uri: input.redirectUri,
    challenge: input.challenge,
    nonce: input.nonce ?? null,
    scopes: writeScopes(input.scopes),
    created_at: input.now,
    expires_at: input.expiresAt,
    used_at: null,
    session_id: null,
    sweep_at: codeKeptUntil(input.expiresAt),
  };
}

/**
 * All live sessions of the users are locked, after their users: the session that gave the code cannot end unnoticed, and whatever
 * ends it afterwards finds the session of the app.
 */
export const exchangeCode = operation(
  async (transaction, inputs: readonly CodeExchange[]): Promise<ExchangeOutcome[]> => {
    const hashes = inputs.map((input) => input.codeHash);
    const found = await listBy(transaction, 'app_codes', 'code_hash', hashes);
    const userIds = found.map((code) => code.user_id);
    const [users, codes, sessions] = await Promise.all([
      openRows(transaction, 'users', 'id', userIds),
      openRows(transaction, 'app_codes', 'code_hash', hashes),
      openLiveSessions(transaction, userIds),
    ]);
    // The users are locked, so no consent of theirs changes now.
    const asks = inputs.some(({ needsConsent }) => needsConsent);
    const consents = asks ? await listBy(transaction, 'app_consents', 'user_id', userIds) : [];
    const events: DatedEvent[] = [];
    const outcomes = inputs.map((input): ExchangeOutcome => {
      const { codeHash, session } = input;
      const code = codes.get(codeHash);
      const user = users.get(code?.user_id ?? null);
      const parent = code && sessions.find(code.user_id, code.parent_id);
      const isFree = user !== undefined && !isBlocked(user);
      const consent = consents.find((each) => each.user_id === code?.user_id && each.app_id === code.app_id);
      const isAllowed = !input.needsConsent || covers(consent && toConsent(consent), readScopes(code?.scopes ?? ''));
      const isParentAlive =
        isFree && isAllowed && parent !== undefined && isAlive({ expiresAt: parent.expires_at }, session.now);
      const verdict = judgeExchange(code && toStoredCode(code), isParentAlive, input);
      if (code === undefined) return { kind: 'refused', ended: [] };
      if (verdict.kind === 'reused') {
        const given = sessions.find(code.user_id, verdict.sessionId);
        if (given === undefined) return { kind: 'refused', ended: [] };
        sessions.endOne(given.id, 'reused', session.now);
        events.push(codeReusedEvent(code.user_id, given.id, input));
        return { kind: 'refused', ended: [given.id] };
      }
      if (verdict.kind === 'refused' || parent === undefined || user === undefined) {
        if (verdict.kind === 'refused' && verdict.usesUp) codes.put({ ...code, used_at: session.now });
        return { kind: 'refused', ended: [] };
      }
      codes.put({ ...code, used_at: session.now, session_id: session.id });
      events.push(appSignedInEvent(code.user_id, input));
      return startSession({ code, parent, user }, input, sessions, events);
    });
    await codes.save();
    await sessions.save();
    await writeAudit(transaction, events);
    return outcomes;
  },
);

function startSession(
  { code, parent, user }: { code: Row<'app_codes'>; parent: Row<'sessions'>; user: Row<'users'> },
  { session }: CodeExchange,
  sessions: LiveSessions,
  events: DatedEvent[],
): StartedAppSession {
  const ofApp = sessions.of(user.id).filter((row) => row.app_id === code.app_id);
  const live = ofApp.map((row) => ({ id: row.id, lastUsedAt: row.last_used_at }));
  const evicted = chooseEvicted(live, session.policy.perUser).map(({ id }) => id);
  for (const id of evicted) {
    sessions.endOne(id, 'evicted', session.now);
    events.push(evictedEvent(user.id, id, session));
  }
  const method = readWord(signInMethods, parent.method, 'sessions.method');
  const { proof, provedAt } = lastProofOf(parent);
  const origin = { app_id: code.app_id, app_scopes: code.scopes, parent_id: parent.id, proof, proved_at: provedAt };
  const row = newSession(user.id, { ...session, method }, origin);
  sessions.start(row);
  const scopes: readonly AppScope[] = readScopes(code.scopes);
  return {
    kind: 'started',
    user: toUser(user),
    claims: readJson(user.claims),
    proof,
    provedAt,
    scopes,
    nonce: code.nonce ?? undefined,
    parentId: parent.id,
    endsAt: row.ends_at,
    evicted,
  };
}

function toStoredCode(row: Row<'app_codes'>): StoredCode {
  return {
    appId: row.app_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    sessionId: row.session_id,
  };
}
