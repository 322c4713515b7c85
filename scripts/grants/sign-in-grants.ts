// What a sign-in, its codes and links give.
import { by, type Grant } from './grant.ts';

const refreshes = 'test/http/routes/auth/tokens/refresh-token-pair.live.test.ts';
const byPhone = 'test/http/routes/auth/sign-in/sign-in-with-phone.live.test.ts';
const byLink = 'test/http/routes/auth/sign-in/sign-in-with-link.live.test.ts';
const notMe = 'test/http/routes/auth/notices/report-not-me.live.test.ts';
const claims = 'test/http/routes/auth/sign-in/claim-phone.live.test.ts';
const ring = 'test/auth/tokens/key-ring.live.test.ts';

const signIns = ['POST /api/auth/phone/login', 'POST /api/auth/phone/claim', 'POST /api/auth/email/login'];
/** The calls that answer a token pair. */
export const pairs = [...signIns, 'POST /api/auth/refresh-token', 'POST /api/auth/proof'];

const noSecret = 'a secret that is no longer configured';

export const signInGrants = {
  'access token': {
    id: 'GR03',
    by: { ...by(pairs, 'JWT', 'cookie JWT'), 'POST /oauth/token': ['access_token'] },
    needs:
      'a sign-in, a refresh token, or a proof by code; an access token alone renews nothing. For ten minutes after a sign-in or a proof it also opens what needs a recent one',
    lives: '15 minutes, and 30 seconds of leeway',
    ends: {
      'its time': [
        'test/auth/tokens/access-token.live.test.ts',
        'an access token is refused 30 seconds after it expires',
      ],
      'the end of its session, within a second on every node': [
        'test/auth/tokens/access-token.live.test.ts',
        'a sign-out on one node revokes it on both',
      ],
      'a block': ['test/commands/users/users.live.test.ts', 'users block makes every node refuse the tokens'],
      'a deletion': [
        'test/http/routes/auth/identity/delete-account.live.test.ts',
        'deleting an account ends every session on every device at once',
      ],
      '`keys revoke`': ['test/auth/tokens/key-ring.test.ts', 'a key that was revoked neither signs nor verifies'],
    },
    held: [
      [
        'test/http/routes/auth/sessions/prove-session.live.test.ts',
        'an account is deleted ten minutes after the sign-in',
      ],
    ],
  },
  'refresh token': {
    id: 'GR04',
    by: by(pairs, 'RT', 'cookie RT'),
    needs:
      'a code of the number, a link of the address, or the refresh token before it. A proof takes an access token and a code to the number or address of the account, and so gives no more than a sign-in',
    lives: '30 days without use, 180 days in all',
    ends: {
      'its time': [refreshes, 'a session ends after 180 days however often it is refreshed'],
      'sign-out': [
        'test/http/routes/auth/sessions/sign-out.live.test.ts',
        'a global sign-out ends all sessions of the user and no one else’s',
      ],
      'the end of its session': [
        'test/http/routes/auth/sessions/me-and-sessions.live.test.ts',
        'ending one session revokes its tokens and no others',
      ],
      'a second use': [refreshes, 'the previous refresh token from another device ends the session after 30 seconds'],
      'more than twenty newer sessions': [
        refreshes,
        'the twenty-first session of a user ends the least recently used one',
      ],
      'a proof without it': [
        'test/http/routes/auth/sessions/prove-without-token.live.test.ts',
        'answers a new pair of the same session, and the old refresh token is refused',
      ],
      '“this was not me”': [notMe, 'the link ends every session and every open sign-in link, once'],
      'a new number, but in the session that set it': [
        'test/http/routes/auth/identity/change-phone.live.test.ts',
        'a code to the new number changes it at once: other sessions end',
      ],
      'a block': ['test/commands/users/users.live.test.ts', 'users block makes every node refuse the tokens'],
      'a deletion': [
        'test/store/operations/auth/identity/users.contract.test.ts',
        'no refresh token and no sign-in link of a deleted user works',
      ],
      [noSecret]: [ring, 'refresh tokens, codes and signing keys made under a removed secret no longer work'],
    },
    held: [
      [
        'test/http/routes/auth/sessions/prove-without-token.live.test.ts',
        'a wrong code without a refresh token changes nothing',
      ],
    ],
  },
  'one-time code': {
    id: 'GR05',
    by: by(
      ['phone-login', 'email-binding', 'proof-phone', 'proof-email', 'phone-change'].map((kind) => `message ${kind}`),
    ),
    needs:
      'a captcha; for binding, proof and change an access token too. It goes to the number or address, never to the caller',
    lives: '5 minutes by SMS, 10 by mail',
    ends: {
      'its use': [byPhone, 'a code works once'],
      'its time': [byPhone, 'only the right code is reported as expired'],
      'five wrong attempts': [byPhone, 'five wrong codes count down, and then even the right code is refused'],
      'another owner of the number or address': [
        'test/http/routes/auth/identity/bind-email.live.test.ts',
        'an e-mail address taken in the meantime is reported only after the right code',
      ],
      [noSecret]: [ring, 'refresh tokens, codes and signing keys made under a removed secret no longer work'],
    },
    held: [
      [
        'test/http/routes/auth/sessions/prove-session.live.test.ts',
        'a code proves only the session of its own user, only once',
      ],
    ],
    gap: 'A code to an address that was bound a moment ago proves as much as one to an old address',
  },
  'ask token': {
    id: 'GR06',
    by: by(
      [
        'POST /api/auth/phone/send/otp',
        'POST /api/auth/email/send/otp',
        'POST /api/auth/phone/change/send',
        'POST /api/auth/proof/send',
      ],
      'cookie ask',
      'header ask-token',
    ),
    needs: 'the request for a code. It gives five attempts and opens nothing',
    lives: 'as long as a code that is sent now',
    ends: {
      'its time': ['test/auth/codes/ask-token.test.ts', 'for one recipient and purpose, as long as a code lives'],
      [noSecret]: ['test/auth/codes/ask-token.test.ts', 'is refused under another secret'],
    },
  },
  'device token': {
    id: 'GR07',
    by: by([...signIns, 'PUT /api/auth/phone/change'], 'cookie DV', 'header device-token'),
    needs:
      'a sign-in, or a changed number. It gives five attempts a day and no report of a new device; it signs nobody in',
    lives: 'a year. A sign-out leaves it, on purpose',
    ends: {
      'its time': [
        'test/auth/devices/device-token.test.ts',
        'identifies the device, its user and the number, for a year',
      ],
      'a deletion': [
        'test/http/routes/auth/sign-in/known-devices.live.test.ts',
        'deleting the account forgets the device, and signing out does not',
      ],
      [noSecret]: ['test/auth/devices/device-token.test.ts', 'one of a forgotten secret is not'],
    },
    gap: 'It cannot be seen or withdrawn',
  },
  'sign-in link': {
    id: 'GR08',
    by: { ...by(['message login-link']), 'POST /api/auth/email/send/login-link': ['cookie lb'] },
    needs: 'a captcha. It goes to the address of the account; the caller gets a cookie that opens nothing',
    lives: '15 minutes, once',
    ends: {
      'its use': [byLink, 'a sign-in link signs in the owner of the e-mail address once'],
      'its time': [byLink, 'a sign-in link works for fifteen minutes and is then reported as expired'],
      'the use of another link': [byLink, 'using one revokes the others'],
      'a replaced address': [byLink, 'a sign-in link is revoked when its e-mail address is replaced'],
      'a removed one': [notMe, 'a removed address no longer signs in'],
      '“this was not me”': [notMe, 'the link ends every session and every open sign-in link, once'],
      'a block': [
        'test/store/operations/auth/links/links.contract.test.ts',
        'the sign-in link of a blocked user is used up and starts no session',
      ],
      'a deletion': [
        'test/http/routes/auth/identity/delete-account.live.test.ts',
        'deleting an account frees its e-mail address and revokes the links',
      ],
    },
  },
  'link of a notice': {
    id: 'GR09',
    by: by(['message notice', 'message notice-sms']),
    needs: 'a change of a way in, or a new device. It goes to the owner, never to the caller',
    lives: '72 hours, once; that of a scheduled change at least until it takes effect',
    ends: {
      'its use': [notMe, 'the link ends every session and every open sign-in link, once'],
      'its time': [notMe, 'the link expires after 72 hours'],
      'a change back to the number that it restores': [
        'test/store/operations/auth/identity/phone-changes.contract.test.ts',
        'a change back ends the links that restore the numbers in between',
      ],
      'a deletion': [
        'test/store/operations/auth/notices/notices.contract.test.ts',
        'the link of a notice expires, and goes with its user',
      ],
    },
    gap: 'A thief who changes the address first and the number second keeps the owner from undoing either',
  },
  'proof ticket': {
    id: 'GR10',
    by: { 'POST /api/auth/phone/login': ['header proof-ticket'] },
    needs: 'the right code of a number whose account was unused for long',
    lives: '10 minutes, once',
    ends: {
      'its use': [claims, 'a claim signs in a new user with the number, once'],
      'its time, any use of the old account': [claims, 'forged, expired or overtaken by the owner is refused'],
      [noSecret]: ['test/auth/sign-in/proof-ticket.test.ts', 'one of a forgotten secret is not'],
    },
  },
  'captcha solution': {
    id: 'GR11',
    by: { 'GET /api/auth/captcha/challenge': ['data'], ...by(['gatehouse captcha']) },
    needs: 'work. It opens nothing by itself',
    lives: '2 minutes, once',
    ends: {
      'its use': ['test/store/operations/auth/codes/send-requests.contract.test.ts', 'a captcha is accepted once'],
      'its time': [
        'test/http/routes/auth/codes/captcha.live.test.ts',
        'an ALTCHA solution is refused after two minutes',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Grant>>;
