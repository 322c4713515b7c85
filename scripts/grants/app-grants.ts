// What the sign-in for apps gives.
import { by, type Grant, record } from './grant.ts';
import { pairs } from './sign-in-grants.ts';

const stolen = 'test/http/oauth/stolen-token.live.test.ts';
const codeAttacks = 'test/http/oauth/code-attacks.live.test.ts';
const tokenAttacks = 'test/http/oauth/token-attacks.live.test.ts';
const browserAttacks = 'test/http/oauth/browser-attacks.live.test.ts';
const sessions = 'test/store/operations/apps/app-sessions.contract.test.ts';

export const appGrants = {
  'cookie SSO': {
    id: 'GR12',
    by: by(pairs, 'cookie SSO'),
    needs: 'the same as the refresh token, with which it is set. No call sets it for an access token alone',
    lives: 'as long as the session',
    ends: {
      'every end of the session': [stolen, 'the cookie SSO gives no code once its session has ended, however it ended'],
      'a secret that is no longer configured': ['test/apps/single-sign-on.test.ts', 'names no session'],
    },
    held: [[stolen, 'no answer sets the cookie SSO for an access token, and the refresh token sets it again']],
  },
  'ticket of a sign-in for an app': {
    id: 'GR13',
    by: {
      'GET /oauth/authorize': ['page'],
      ...by(['POST /api/auth/email/login', 'POST /api/auth/email/link/check'], 'continueTo'),
    },
    needs: 'nothing: it is the request of the app, sealed, and opens nothing without the cookie SSO',
    lives: 'an hour',
    ends: {
      'its time': [browserAttacks, 'a ticket is good for an hour'],
      'an app or address that is no longer listed': [
        browserAttacks,
        'a ticket of an app or an address that is listed no more shows an error page',
      ],
    },
  },
  'code of an app': {
    id: 'GR14',
    by: { 'GET /oauth/authorize': ['header Location'] },
    needs: 'the cookie SSO of a live session, never an access token; for an app of others a consent too',
    lives: '60 seconds, once',
    ends: {
      'any attempt to use it': [codeAttacks, 'gives nothing and is used up'],
      'its time': [codeAttacks, 'a code is valid for 60 seconds'],
      'the end of the session that gave it': [
        codeAttacks,
        'a code of a session that was signed out since gives nothing',
      ],
      'a block, a deletion': [codeAttacks, 'gets no code, and their codes and tokens work no more'],
      'a withdrawal': [sessions, 'a withdrawn consent ends the sessions of the app, and makes its codes worthless'],
    },
    held: [[stolen, 'no access token gives a code, in whatever cookie or header it is sent']],
  },
  consent: {
    id: 'GR15',
    by: { 'POST /api/auth/apps/consent': [record] },
    needs: 'the cookies JWT and SSO of one session, and a sign-in of the last ten minutes; never a bearer token',
    lives: 'until it is withdrawn. Alone it gives nothing: each code needs the cookie SSO',
    ends: {
      withdrawal: [
        'test/http/routes/auth/apps/list-allowed-apps.live.test.ts',
        'and withdraws it: the sessions of the app end',
      ],
      'a deletion': [sessions, 'a deleted user leaves no code and no consent'],
    },
    held: [[stolen, 'no access token records a consent without the cookie SSO of its own session']],
    gap: 'For an app that returns to a loopback address or a scheme of its own, an earlier consent also counts for a request of another program',
  },
  'session of an app': {
    id: 'GR16',
    by: { 'POST /oauth/token': ['refresh_token'] },
    needs: 'a code with its PKCE verifier and the secret of the app, or the refresh token before it',
    lives: '30 days without use, 180 days in all, counted from the code: it may outlive the session that gave the code',
    ends: {
      'sign-out (not with `offline_access`); the end of the session by the user, staff or a back end': [
        tokenAttacks,
        'a sign-out here ends apps without offline_access, and ending the session ends all',
      ],
      'reuse of the refresh token of the session that gave the code': [
        sessions,
        'a reused refresh token of this service ends the sessions of apps that come from it',
      ],
      '“this was not me”': [
        'test/store/operations/auth/notices/notices.contract.test.ts',
        'the link of a notice ends every session and every sign-in link of its user',
      ],
      'a block, a deletion': [codeAttacks, 'gets no code, and their codes and tokens work no more'],
      withdrawal: [sessions, 'a withdrawn consent ends the sessions of the app'],
      revocation: [tokenAttacks, 'an app revokes its own tokens only'],
      'a second use of its code': [codeAttacks, 'ends the session that it gave'],
      'or of its token': [tokenAttacks, 'a refresh token that is used again late ends the session'],
    },
  },
  'id token': {
    id: 'GR17',
    by: { 'POST /oauth/token': ['id_token'] },
    needs:
      'a code with the scope `openid`; a refresh gives none. For the app it says who signed in; here it opens nothing, and only ends the session of the browser that gave the code, at `/oauth/logout`',
    lives:
      '15 minutes for an app. For the sign-out as long as its signing key is known, 75 minutes to 30 days. After that a page asks first',
    ends: {
      'the end of the session: it names no other': [
        stolen,
        'an id token ends the session that it names, also late and without a cookie, and opens nothing',
      ],
      'the end of its signing key, `keys revoke`': [
        'test/apps/tokens/id-token.test.ts',
        'is no hint any more once its signing key is gone',
      ],
    },
    held: [
      [tokenAttacks, 'an id token, a refresh token and a code are no access tokens'],
      [browserAttacks, 'the id token of another session signs this one out only after a question'],
    ],
    gap: 'Whoever finds one in a log signs that session out from anywhere without a cookie, and reads the number or the address if its scopes gave them',
  },
} as const satisfies Readonly<Record<string, Grant>>;
