// What one user's calls must answer as if they came one after the other: codes, guesses, links, sessions and their refresh tokens.
import type { Model } from '../../helpers/histories/linearizability.ts';

export type UserInput =
  | { readonly act: 'send' | 'guess right' | 'guess wrong' }
  | { readonly act: 'redeem' | 'check link'; readonly link: string }
  | { readonly act: 'refresh'; readonly token: string }
  /** `by`: the id of the session whose access token is used. */
  | { readonly act: 'list' | 'delete account'; readonly by: string }
  | { readonly act: 'sign out'; readonly by: string; readonly scope: 'local' | 'others' | 'global' }
  | { readonly act: 'end'; readonly by: string; readonly session: string };

export type UserOutput = {
  /** The status, and the code of an error. */
  readonly outcome: string;
  /** Of a sign-in: the session. Of a list: all sessions. */
  readonly sessions?: readonly string[];
  /** The new refresh token. */
  readonly token?: string;
};

type Session = {
  readonly id: string;
  /** Which of the users that the number had, one after the other. */
  readonly user: number;
  /** All refresh tokens; the last one is the newest. */
  readonly tokens: readonly string[];
  readonly isAlive: boolean;
};

export type UserState = {
  readonly code: 'none' | 'pending' | 'used' | 'phantom';
  readonly attempts: number;
  readonly failures: number;
  readonly user: number;
  readonly hasUser: boolean;
  readonly sessions: readonly Session[];
  /** The links that still work. */
  readonly links: readonly string[];
};

/** LIMIT_ATTEMPTS_PER_RECIPIENT and OTP_ATTEMPTS of the nodes. */
export const userLimits = { failures: 7, attempts: 3 };

const stranger: UserState = {
  code: 'none',
  attempts: 0,
  failures: 0,
  user: 0,
  hasUser: false,
  sessions: [],
  links: [],
};

/** A user who has asked for these links is signed in already. */
export function userModel(
  links: readonly string[] = [],
  first?: { readonly id: string; readonly token: string },
): Model<UserState, UserInput, UserOutput> {
  const sessions = first === undefined ? [] : [{ id: first.id, user: 0, tokens: [first.token], isAlive: true }];
  const initial = { ...stranger, links, sessions, hasUser: first !== undefined };
  return { initial: first === undefined ? initial : { ...initial, code: 'used', attempts: 1 }, step };
}

function step(state: UserState, input: UserInput, output: UserOutput): UserState | undefined {
  switch (input.act) {
    case 'send':
      return output.outcome === '200' ? openCode(state) : undefined;
    case 'guess right':
    case 'guess wrong':
      return guess(state, input.act === 'guess right', output);
    case 'redeem':
    case 'check link':
      return useLink(state, input, output);
    case 'refresh':
      return refresh(state, input.token, output);
    case 'list':
    case 'delete account':
    case 'sign out':
    case 'end':
      return actBy(state, input, output);
  }
}

/** A code that can still be used is sent again. */
function openCode(state: UserState): UserState {
  if (state.code === 'pending' && state.attempts < userLimits.attempts) return state;
  return { ...state, code: 'pending', attempts: 0 };
}

function guess(before: UserState, isRight: boolean, output: UserOutput): UserState | undefined {
  if (before.failures >= userLimits.failures)
    return output.outcome === '429 OTP_ATTEMPTS_EXCEEDED' ? before : undefined;
  const isGone = before.code === 'none' || before.code === 'used';
  const state: UserState = isGone ? { ...before, code: 'phantom', attempts: 0 } : before;
  if (state.attempts >= userLimits.attempts) return output.outcome === '429 OTP_ATTEMPTS_EXCEEDED' ? before : undefined;
  const tried = { ...state, attempts: state.attempts + 1 };
  if (!isRight || state.code !== 'pending')
    return output.outcome === '400 OTP_INVALID' ? { ...tried, failures: tried.failures + 1 } : undefined;
  return signIn({ ...tried, code: 'used' }, output);
}

/** The session and its first token are new. */
function signIn(state: UserState, { outcome, sessions: [id] = [], token }: UserOutput): UserState | undefined {
  const isKnown = state.sessions.some((session) => session.id === id || session.tokens.includes(token ?? ''));
  if (outcome !== '200' || id === undefined || token === undefined || isKnown) return undefined;
  const user = state.hasUser ? state.user : state.user + 1;
  return { ...state, user, hasUser: true, sessions: [...state.sessions, { id, user, tokens: [token], isAlive: true }] };
}

/** Using one link ends all of them. */
function useLink(
  state: UserState,
  { act, link }: Extract<UserInput, { link: string }>,
  output: UserOutput,
): UserState | undefined {
  if (!state.links.includes(link)) return output.outcome === '400 LINK_INVALID' ? state : undefined;
  if (act === 'redeem') return signIn({ ...state, links: [] }, output);
  return output.outcome === '200' ? state : undefined;
}

/** The newest token has one successor, which the one before it gets again. An older one ends the session. */
function refresh(state: UserState, token: string, output: UserOutput): UserState | undefined {
  const session = state.sessions.find(({ tokens }) => tokens.includes(token));
  if (session?.isAlive !== true) return output.outcome === '401 SESSION_REVOKED' ? state : undefined;
  const back = session.tokens.length - 1 - session.tokens.indexOf(token);
  if (back > 1)
    return output.outcome === '401 REFRESH_TOKEN_REUSED' ? end(state, ({ id }) => id === session.id) : undefined;
  const next = output.token;
  if (output.outcome !== '200' || next === undefined) return undefined;
  if (back === 1) return next === session.tokens.at(-1) ? state : undefined;
  if (state.sessions.some(({ tokens }) => tokens.includes(next))) return undefined;
  const renewed = { ...session, tokens: [...session.tokens, next] };
  return { ...state, sessions: state.sessions.map((one) => (one === session ? renewed : one)) };
}

type ActBy = Extract<UserInput, { by: string }>;

/**
 * An ended session is refused as soon as its node knows of the end. Until then its access token still works, on its own user only:
 * nodes follow each other with a short delay. A live session is never refused.
 */
function actBy(state: UserState, input: ActBy, output: UserOutput): UserState | undefined {
  const session = state.sessions.find(({ id }) => id === input.by);
  if (output.outcome === '401 SESSION_REVOKED') return session?.isAlive === true ? undefined : state;
  if (session === undefined) return undefined;
  const mine = state.sessions.filter(({ user, isAlive }) => isAlive && user === session.user);
  switch (input.act) {
    case 'list': {
      const ids = mine.map(({ id }) => id).sort();
      return output.outcome === '200' && ids.join() === output.sessions?.toSorted().join() ? state : undefined;
    }
    case 'end': {
      const isFound = mine.some(({ id }) => id === input.session);
      if (output.outcome !== (isFound ? '200' : '404 NOT_FOUND')) return undefined;
      return isFound ? end(state, ({ id }) => id === input.session) : state;
    }
    case 'sign out': {
      if (output.outcome !== '200') return undefined;
      const isMeant = { local: [true, false], others: [false, true], global: [true, true] }[input.scope];
      return end(state, (one) => mine.includes(one) && isMeant[one.id === session.id ? 0 : 1] === true);
    }
    case 'delete account': {
      if (output.outcome !== '200') return undefined;
      if (session.user !== state.user || !state.hasUser) return state;
      return { ...end(state, (one) => mine.includes(one)), hasUser: false, links: [] };
    }
  }
}

function end(state: UserState, isMeant: (session: Session) => boolean): UserState {
  return {
    ...state,
    sessions: state.sessions.map((session) => (isMeant(session) ? { ...session, isAlive: false } : session)),
  };
}
