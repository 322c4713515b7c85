// Broken requests: access tokens, refresh tokens and captcha tokens that are missing, malformed, forged or sent twice.
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type BrokenRequest, type Credentials, request } from '../../helpers/requests/raw-request.ts';

type Header = string | ((credentials: Credentials) => string);

const unsigned = `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode({ sub: 'x', exp: 9_999_999_999 })}.`;

const noAccess: Readonly<Record<string, Header>> = {
  'no access token': 'X-A: b',
  'an empty Authorization': 'Authorization:',
  'the scheme Basic': 'Authorization: Basic YW5uOnNlY3JldA==',
  'the scheme Digest': 'Authorization: Digest username="ann"',
  'the scheme Negotiate': 'Authorization: Negotiate YII=',
  'a token without a scheme': ({ accessToken }) => `Authorization: ${accessToken}`,
  'a scheme that only begins like Bearer': ({ accessToken }) => `Authorization: Bearerx ${accessToken}`,
  'a colon after Bearer': ({ accessToken }) => `Authorization: Bearer: ${accessToken}`,
  'a tab after Bearer': ({ accessToken }) => `Authorization: Bearer\t${accessToken}`,
  'an empty JWT cookie': 'Cookie: JWT=',
  'a JWT cookie without a value': 'Cookie: JWT',
  'a JWT cookie in lower case': ({ accessToken }) => `Cookie: jwt=${accessToken}`,
  'a cookie that only ends like JWT': ({ accessToken }) => `Cookie: xJWT=${accessToken}`,
  'an access token in the header RT': ({ accessToken }) => `RT: ${accessToken}`,
};

const badAccess: Readonly<Record<string, Header>> = {
  'Bearer alone': 'Authorization: Bearer',
  'Bearer in capitals with nothing after it': 'Authorization: BEARER   ',
  'a bearer of one letter': 'Authorization: Bearer x',
  'a bearer of three parts of nonsense': 'Authorization: Bearer a.b.c',
  'a bearer of dots': 'Authorization: Bearer ..',
  'a bearer of 8 KB': `Authorization: Bearer ${'a'.repeat(8000)}`,
  'a bearer of raw bytes': 'Authorization: Bearer \xff\xfe.\xff.\xff',
  'an unsigned bearer': `Authorization: Bearer ${unsigned}`,
  'two tokens in one bearer': ({ accessToken }) => `Authorization: Bearer ${accessToken} ${accessToken}`,
  'two tokens with a comma': ({ accessToken }) => `Authorization: Bearer ${accessToken}, ${accessToken}`,
  'a bearer in quotes': ({ accessToken }) => `Authorization: Bearer "${accessToken}"`,
  'a bearer cut short': ({ accessToken }) => `Authorization: Bearer ${accessToken.slice(0, -1)}`,
  'a bearer with a letter more': ({ accessToken }) => `Authorization: Bearer ${accessToken}A`,
  'a bearer without a signature': ({ accessToken }) => `Authorization: Bearer ${accessToken.replace(/[^.]*$/, '')}`,
  'a bearer with other claims': ({ accessToken }) =>
    `Authorization: Bearer ${accessToken.replace(/\.[^.]*\./, `.${encode({ sub: 'x', exp: 9_999_999_999 })}.`)}`,
  'a bearer with another header': ({ accessToken }) =>
    `Authorization: Bearer ${accessToken.replace(/^[^.]*/, encode({ alg: 'HS256', typ: 'at+jwt' }))}`,
  'a bearer padded with =': ({ accessToken }) => `Authorization: Bearer ${accessToken}=`,
  'a refresh token as bearer': ({ refreshToken }) => `Authorization: Bearer ${refreshToken}`,
  'a bad bearer beside a good cookie': ({ accessToken }) => `Authorization: Bearer x\r\nCookie: JWT=${accessToken}`,
  'an empty bearer beside a good cookie': ({ accessToken }) => `Authorization: Bearer\r\nCookie: JWT=${accessToken}`,
  'a JWT cookie of nonsense': 'Cookie: JWT=x',
  'a JWT cookie of 8 KB': `Cookie: JWT=${'a'.repeat(8000)}`,
  'a JWT cookie with percent nonsense': 'Cookie: JWT=%zz%00',
  'another scheme beside a JWT cookie of nonsense': 'Authorization: Basic x\r\nCookie: JWT=x',
};

const twoAccessCookies: Readonly<Record<string, Header>> = {
  'two JWT cookies': ({ accessToken }) => `Cookie: JWT=${accessToken}; JWT=x`,
  'two JWT cookies, the bad one first': ({ accessToken }) => `Cookie: JWT=x; JWT=${accessToken}`,
  'two JWT cookies in two headers': ({ accessToken }) => `Cookie: JWT=${accessToken}\r\nCookie: JWT=x`,
  'two JWT cookies, one of them empty': ({ accessToken }) => `Cookie: JWT=${accessToken}; JWT=`,
  'two JWT cookies, one with a space before =': ({ accessToken }) => `Cookie: JWT =x; JWT=${accessToken}`,
};

const noRefresh: Readonly<Record<string, Header>> = {
  'no refresh token': 'X-A: b',
  'an empty RT': 'RT:',
  'an RT of spaces': 'RT:    ',
  'an RT of Bearer alone': 'RT: Bearer',
  'an empty RT cookie': 'Cookie: RT=',
  'a refresh token as bearer': ({ refreshToken }) => `Authorization: Bearer ${refreshToken}`,
  'a refresh token in a cookie rt': ({ refreshToken }) => `Cookie: rt=${refreshToken}`,
};

const badRefresh: Readonly<Record<string, Header>> = {
  'an RT of one letter': 'RT: x',
  'an RT of 8 KB': `RT: ${'A'.repeat(8000)}`,
  'an RT of raw bytes': 'RT: \xff\xfe\xfd',
  'an RT of zeros': `RT: ${'A'.repeat(100)}`,
  'an RT with a plus and a slash': 'RT: ++//++//',
  'an access token as RT': ({ accessToken }) => `RT: ${accessToken}`,
  'an RT cut short': ({ refreshToken }) => `RT: ${refreshToken.slice(0, -2)}`,
  'an RT with letters more': ({ refreshToken }) => `RT: ${refreshToken}AAAA`,
  'an RT with its first letter changed': ({ refreshToken }) => `RT: ${change(refreshToken, 0)}`,
  'an RT with a letter changed': ({ refreshToken }) => `RT: ${change(refreshToken, 40)}`,
  'an RT twice in one header': ({ refreshToken }) => `RT: ${refreshToken},${refreshToken}`,
  'an RT after another scheme': ({ refreshToken }) => `RT: Basic ${refreshToken}`,
  'an RT cookie of nonsense': 'Cookie: RT=x',
  'a bad RT beside a good cookie': ({ refreshToken }) => `RT: x\r\nCookie: RT=${refreshToken}`,
};

const captchas: Readonly<Record<string, readonly [Header, FailureCode]>> = {
  'no captcha': ['X-A: b', 'CAPTCHA_REQUIRED'],
  'an empty captcha': ['captcha-token:', 'CAPTCHA_REQUIRED'],
  'a captcha of spaces': ['captcha-token:    ', 'CAPTCHA_REQUIRED'],
  'a captcha in a cookie': [({ captcha }) => `Cookie: captcha-token=${captcha}`, 'CAPTCHA_REQUIRED'],
  'a captcha of nonsense': ['captcha-token: x', 'CAPTCHA_INVALID'],
  'a captcha of 4097 letters': [`captcha-token: ${'a'.repeat(4097)}`, 'CAPTCHA_INVALID'],
  'a captcha of raw bytes': ['captcha-token: \xff\xfe', 'CAPTCHA_INVALID'],
  'a captcha of null': [`captcha-token: ${Buffer.from('null').toString('base64')}`, 'CAPTCHA_INVALID'],
  'a captcha of an empty object': [`captcha-token: ${Buffer.from('{}').toString('base64')}`, 'CAPTCHA_INVALID'],
  'a captcha cut short': [({ captcha }) => `captcha-token: ${captcha.slice(0, 100)}`, 'CAPTCHA_INVALID'],
};

const sends: readonly (readonly [path: string, recipient: string])[] = [
  ['/api/auth/phone/send/otp', '+12025550123'],
  ['/api/auth/email/send/login-link', 'ann@example.com'],
  ['/api/auth/email/send/otp', 'ann@example.com'],
];

export const credentials: readonly BrokenRequest[] = [
  ...sent('GET /api/auth/me', noAccess, 'ACCESS_TOKEN_MISSING'),
  ...sent('DELETE /api/auth/me', badAccess, 'ACCESS_TOKEN_INVALID'),
  ...sent('DELETE /api/auth/me', twoAccessCookies, 'REQUEST_INVALID', 'cookie JWT'),
  ...sent('POST /api/auth/refresh-token', noRefresh, 'REFRESH_TOKEN_MISSING'),
  ...sent('POST /api/auth/refresh-token', badRefresh, 'REFRESH_TOKEN_INVALID'),
  ...sent(
    'POST /api/auth/refresh-token',
    { 'two RT cookies': ({ refreshToken }) => `Cookie: RT=${refreshToken}; RT=x` },
    'REQUEST_INVALID',
    'cookie RT',
  ),
  ...sends.flatMap(([path, recipient]) =>
    Object.entries(captchas).map(([name, [header, code]]) => ({
      name: `${name} on ${path}`,
      bytes: (all: Credentials) =>
        request(
          `POST ${path}`,
          [
            'Content-Type: application/json',
            ...(path.endsWith('email/send/otp') ? [`Authorization: Bearer ${all.accessToken}`] : []),
            typeof header === 'string' ? header : header(all),
          ],
          JSON.stringify({ recipient }),
        ),
      code,
    })),
  ),
];

function sent(line: string, all: Readonly<Record<string, Header>>, code: FailureCode, field?: string): BrokenRequest[] {
  return Object.entries(all).map(([name, header]) => ({
    name: `${name} on ${line}`,
    bytes: (given) => request(line, [typeof header === 'string' ? header : header(given)]),
    code,
    ...(field !== undefined && { field }),
  }));
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function change(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'B' ? 'C' : 'B') + text.slice(at + 1);
}
