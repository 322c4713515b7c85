// Corrupts heads: every header with a meaning and some without, cookies, tokens, conditions and ranges.
import { type Chance, nudged } from './chance.ts';
import { type Draft, headerOf, setHeader } from './draft.ts';
import { oddHeaderText, oddText } from './odd-values.ts';
import { forgedAccess, forgedAdmin, forgedRefresh, type Tokens } from './tokens.ts';

const names: readonly string[] = [
  'Accept',
  'Accept-Language',
  'Accept-Encoding',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'Authorization',
  'Cache-Control',
  'captcha-token',
  'Connection',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Location',
  'Content-MD5',
  'Content-Range',
  'Content-Type',
  'Cookie',
  'Date',
  'DNT',
  'Expect',
  'Forwarded',
  'From',
  'Host',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Keep-Alive',
  'Max-Forwards',
  'Origin',
  'Pragma',
  'Prefer',
  'Priority',
  'Proxy-Authorization',
  'Proxy-Connection',
  'Range',
  'Referer',
  'Repr-Digest',
  'RT',
  'Sec-Fetch-Site',
  'Sec-WebSocket-Key',
  'TE',
  'Trailer',
  'Upgrade',
  'User-Agent',
  'Via',
  'X-File-Purpose',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'X-Real-IP',
  'X-Request-Id',
  '__proto__',
  'constructor',
];

/** Values that are almost valid. */
const nearly = new Map<string, readonly string[]>(
  Object.entries({
    'accept-language': [
      'de',
      'de-AT;q=0.8,*;q=0.1',
      'x-klingon',
      'zh-Hant-TW',
      '*',
      'en;q=nan',
      ',,,;;;',
      'a'.repeat(3000),
    ],
    'access-control-request-method': ['GET', 'get', 'NOPE', ''],
    connection: ['close', 'keep-alive', 'close, keep-alive', 'upgrade', 'x', 'content-length', 'host, authorization'],
    'content-encoding': ['identity', 'gzip', 'br', 'gzip, gzip', 'IDENTITY'],
    expect: ['100-continue', '200-ok', '100-Continue, x', '100-continue'],
    host: ['', 'localhost', '127.0.0.1:1', '[::1]:80', 'evil.example', 'a b', 'x'.repeat(300), 'localhost:99999'],
    'idempotency-key': ['k', 'x'.repeat(255), 'x'.repeat(256), 'é', 'a b', ''],
    origin: ['null', 'http://localhost', 'https://app.example.com', 'https://app.example.com.evil', 'file://', 'x', ''],
    'repr-digest': ['sha-256=:AAAA:', 'sha-256=::', 'md5=:AAAA:', `sha-256=:${'A'.repeat(43)}=:`, 'sha-512=:x:', ':::'],
    'sec-fetch-site': ['cross-site', 'same-origin', 'none', 'same-site', 'x'],
    upgrade: ['websocket', 'h2c', 'TLS/1.0, HTTP/1.1', ''],
    'x-file-purpose': ['avatar', 'image', 'document', 'nothing', '__proto__', ''],
    'x-forwarded-for': [
      '1.2.3.4',
      '::1',
      'fe80::1%eth0, 1.2.3.4:5',
      '999.1.1.1',
      'unknown',
      ',',
      '1.2.3.4,'.repeat(300),
    ],
    'x-http-method-override': ['DELETE', 'GET'],
    'x-request-id': ['short', 'fine-request-id', 'x'.repeat(64), 'x'.repeat(65), 'a b c d e f', '<script>'],
  }),
);

/** These end the connection, or make it unclear where the next request starts. */
const ending = new Set([
  'connection',
  'host',
  'upgrade',
  'content-encoding',
  'expect',
  'proxy-connection',
  'keep-alive',
]);

export function spoilHeader(draft: Draft, chance: Chance): void {
  const name = chance.happens(0.05) ? `X-${chance.bytes(4).toString('hex')}` : chance.pick(names);
  const key = name.toLowerCase();
  const value = chance.happens(0.5) ? chance.pick(nearly.get(key) ?? ['']) : oddHeaderText(chance);
  const known = headerOf(draft, name);
  const way = chance.pick(['set', 'set', 'set', 'added', 'twice', 'in capitals']);
  if (way === 'set') setHeader(draft, name, value);
  else
    draft.headers.push([way === 'in capitals' ? name.toUpperCase() : name, way === 'twice' && known ? known : value]);
  if (ending.has(key) || draft.headers.filter(([other]) => other.toLowerCase() === key).length > 1)
    draft.isAlone = true;
  draft.marks.push(`${name} ${way} ${JSON.stringify(value.slice(0, 40))}`);
}

/** Many headers, or huge ones. */
export function spoilCrowd(draft: Draft, chance: Chance): void {
  const [count, length] = chance.pick([
    [100, 10],
    [1000, 4],
    [1999, 2],
    [2100, 2],
    [1, 15_500],
    [1, 17_000],
    [40, 500],
  ] as const);
  for (let index = 0; index < count; index++) draft.headers.push([`X-${index}`, 'y'.repeat(length)]);
  draft.isAlone = true;
  draft.marks.push(`${count} headers of ${length}`);
}

export function spoilCookies(draft: Draft, { accessToken: good, refreshToken }: Tokens, chance: Chance): void {
  const value = chance.pick([
    () => `JWT=${good}; JWT=${good}`,
    () => `JWT=${good}; JWT=other`,
    () => `RT=${refreshToken}x; RT=y`,
    () => `JWT="${good}"`,
    () => `jwt=${good}`,
    () => `JWT=${encodeURIComponent(good)}%`,
    () => `JWT=%E0%A4%A; RT=%; lb=%00`,
    () => 'JWT',
    () => '=;=;=',
    () => '; '.repeat(1000),
    () => 'a=b; '.repeat(1500),
    () => `JWT=${'a'.repeat(7000)}`,
    () => `__proto__=x; constructor=y; JWT=${oddText(chance, 100)}`,
    () => `lb=${oddHeaderText(chance)}`,
    () => oddHeaderText(chance),
  ])();
  setHeader(draft, 'Cookie', value);
  draft.marks.push(`cookies ${value.slice(0, 30)}`);
}

/** Replaces the caller's credential with a forged one. */
export function forge(draft: Draft, tokens: Tokens, jwks: string, chance: Chance): void {
  const access = () => forgedAccess(tokens, jwks, chance);
  const cookie = headerOf(draft, 'cookie');
  if (headerOf(draft, 'rt') !== undefined)
    setHeader(draft, 'RT', chance.pick(['', 'Bearer ']) + forgedRefresh(tokens, chance));
  else if (headerOf(draft, 'authorization') !== undefined)
    setHeader(draft, 'Authorization', chance.pick(['Bearer ', 'bearer  ', 'BEARER ']) + access());
  else if (cookie?.startsWith('JWT=')) setHeader(draft, 'Cookie', `JWT=${inCookie(access())}`);
  else if (cookie?.startsWith('RT=')) setHeader(draft, 'Cookie', `RT=${inCookie(forgedRefresh(tokens, chance))}`);
  else if (cookie?.startsWith('ADMIN='))
    setHeader(draft, 'Cookie', `ADMIN=${inCookie(forgedAdmin(cookie.slice(6), chance))}`);
  else return;
  draft.isForged = true;
  draft.marks.push('a forged token');
}

/** A cookie ends at a semicolon or a blank. The part before it must not be the real token. */
function inCookie(token: string): string {
  return token.replaceAll(/[\s;,="]/g, '~');
}

export function spoilScheme(draft: Draft, { accessToken }: Tokens, chance: Chance): void {
  const value = chance.pick([
    `Basic ${accessToken}`,
    `Bearer${accessToken}`,
    `Bearer\t${accessToken}`,
    `Bearer ${accessToken} ${accessToken}`,
    `Bearer ${accessToken}, Bearer ${accessToken}`,
    'Bearer',
    'Bearer ',
    accessToken,
    `DPoP ${accessToken}`,
    `"Bearer" ${accessToken}`,
    nudged(`Bearer ${accessToken}`, chance, ' \t,=é'),
  ]);
  setHeader(draft, 'Authorization', value);
  draft.marks.push(`scheme ${value.slice(0, 12)}`);
}

const ranges: readonly string[] = [
  'bytes=0-0',
  'bytes=0-',
  'bytes=-1',
  'bytes=-0',
  'bytes=5-2',
  'bytes=999999999-',
  'bytes=0-0,1-1',
  'bytes=0-0,-1,3-4,2-2',
  'bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16',
  'bytes=0-9007199254740993',
  'bytes=99999999999999999999-',
  'bytes=-99999999999999999999',
  'bytes=0-1-2',
  'bytes=a-b',
  'bytes=',
  'bytes',
  'bytes = 0 - 1',
  'BYTES=0-1',
  'chars=0-1',
  'bytes=0-0, ,1-1',
  'bytes=-',
  'bytes=--1',
  'bytes=0x1-2',
  'bytes=1e3-',
  `bytes=${'0-1,'.repeat(400)}0-1`,
];

const tags: readonly string[] = [
  '*',
  '"x"',
  'W/"x"',
  '"',
  '""',
  '"a","b"',
  'x',
  '* , "x"',
  `"${'x'.repeat(4000)}"`,
  '"a',
  ', , ',
];
const dates: readonly string[] = [
  'Sun, 15 Nov 2026 10:00:00 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  '0',
  '-1',
  'tomorrow',
  '2026-11-15T10:00:00Z',
  '99999999999999999999',
];

export function spoilCondition(draft: Draft, chance: Chance): void {
  const value = chance.happens(0.2) ? nudged(chance.pick(ranges), chance, '0123456789-,= ') : chance.pick(ranges);
  const all = { Range: value, 'If-Range': chance.pick([...tags, ...dates]) };
  const conditions = chance.pick([
    { Range: value },
    { Range: value },
    all,
    { 'If-None-Match': chance.pick(tags) },
    { 'If-Match': chance.pick(tags) },
    { 'If-Modified-Since': chance.pick(dates) },
    { 'If-Unmodified-Since': chance.pick(dates) },
    { ...all, 'If-None-Match': chance.pick(tags), 'If-Match': chance.pick(tags) },
  ]);
  for (const [name, text] of Object.entries(conditions)) setHeader(draft, name, text);
  draft.marks.push(`${Object.keys(conditions).join('+')} ${value.slice(0, 40)}`);
}
