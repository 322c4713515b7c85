// Broken requests: header lines, sizes, Host, and headers that must occur once.
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type BrokenRequest, request } from '../../helpers/requests/raw-request.ts';

const withHeader = (text: string) => `GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${text}\r\n\r\n`;
const withHost = (text: string) => `GET /livez HTTP/1.1\r\n${text}Connection: close\r\n\r\n`;
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\r\n');

const malformed: Readonly<Record<string, string>> = {
  'a folded header': 'X-A: one\r\n two',
  'a header folded with a tab': 'X-A: one\r\n\ttwo',
  'a header without a colon': 'no colon here',
  'a header of one word': 'word',
  'a header without a name': ': value',
  'a space before the colon': 'X-A : value',
  'a tab before the colon': 'X-A\t: value',
  'a space before the first header’s name': ' X-A: value',
  'a NUL in a value': 'X-A: a\0b',
  'a NUL in a name': 'X\0A: b',
  'a control character in a value': 'X-A: a\x01b',
  'a backspace in a value': 'X-A: a\bb',
  'a DEL in a value': 'X-A: a\x7fb',
  'a bracket in a name': 'X(A: b',
  'a raw byte over 127 in a name': 'X\xe9: b',
  'a quote in a name': '"X": b',
  'a bare line feed inside the head': 'X-A: a\nX-B: b',
  'a bare carriage return inside the head': 'X-A: a\rX-B: b',
  'two carriage returns at a line’s end': 'X-A: a\r\r\nX-B: b',
  'a smuggled request after a bare line feed': 'X-A: a\n\nGET /livez HTTP/1.1',
};

const tooLarge: Readonly<Record<string, string>> = {
  'a header of 20 KB': `X-A: ${'a'.repeat(20_000)}`,
  'a header name of 20 KB': `${'a'.repeat(20_000)}: x`,
  'a cookie of 20 KB': `Cookie: JWT=${'a'.repeat(20_000)}`,
  'a bearer of 20 KB': `Authorization: Bearer ${'a'.repeat(20_000)}`,
  '1000 headers': many(1000, (index) => `X-A${index}: 01234567890123456789`),
  '3000 short headers': many(3000, () => 'a:b'),
  '20 headers of 1 KB': many(20, (index) => `X-A${index}: ${'a'.repeat(1000)}`),
};

const hosts: Readonly<Record<string, string>> = {
  'a missing Host': '',
  'two equal Hosts': 'Host: localhost\r\nHost: localhost\r\n',
  'two different Hosts': 'Host: localhost\r\nHost: evil.example\r\n',
  'two Hosts in different case': 'Host: localhost\r\nhOST: evil.example\r\n',
  'a Host with a space': 'Host: local host\r\n',
  'a Host with a path': 'Host: localhost/livez\r\n',
  'a Host with user information': 'Host: ann@localhost\r\n',
  'a Host with a query': 'Host: localhost?x\r\n',
  'a Host with a fragment': 'Host: localhost#x\r\n',
  'a Host that is a whole URL': 'Host: http://localhost/\r\n',
  'a Host with a port of letters': 'Host: localhost:http\r\n',
  'a Host with a port of six digits': 'Host: localhost:808080\r\n',
  'a Host with two ports': 'Host: localhost:80:80\r\n',
  'a Host with an open bracket': 'Host: [::1\r\n',
  'a Host of raw bytes': 'Host: \xff\xfe\r\n',
  'a Host with a tag': 'Host: <script>\r\n',
  'a Host with a backslash': 'Host: localhost\\evil\r\n',
};

const repeated: Readonly<Record<string, readonly [string, string]>> = {
  authorization: ['Authorization: Bearer a', 'Authorization: Bearer b'],
  rt: ['RT: a', 'RT: b'],
  'captcha-token': ['captcha-token: a', 'captcha-token: b'],
  'content-type': ['Content-Type: application/json', 'Content-Type: text/plain'],
  origin: ['Origin: http://localhost', 'Origin: https://evil.example'],
  'idempotency-key': ['Idempotency-Key: a', 'Idempotency-Key: b'],
  'x-file-purpose': ['X-File-Purpose: avatar', 'X-File-Purpose: image'],
};

const encodings = [
  'gzip',
  'GZIP',
  'x-gzip',
  'br',
  'deflate',
  'zstd',
  'compress',
  'identity, gzip',
  'gzip, identity',
  'utf-8',
];

export const headers: readonly BrokenRequest[] = [
  ...refused(malformed, withHeader, 'REQUEST_INVALID', 'request'),
  ...refused(tooLarge, withHeader, 'HEADERS_TOO_LARGE'),
  ...refused(hosts, withHost, 'REQUEST_INVALID', 'host'),
  { name: 'line feeds alone', bytes: 'GET /livez HTTP/1.1\nHost: localhost\n\n', code: 'REQUEST_INVALID' },
  {
    name: 'carriage returns alone',
    bytes: 'GET /livez HTTP/1.1\rHost: localhost\r\r',
    code: 'REQUEST_INVALID',
    options: { halfClose: true },
  },
  {
    name: 'a head cut short',
    bytes: 'GET /livez HTTP/1.1\r\nHost: local',
    code: 'REQUEST_INVALID',
    options: { halfClose: true },
  },
  { name: 'a request line cut short', bytes: 'GET /liv', code: 'REQUEST_INVALID', options: { halfClose: true } },
  ...Object.entries(repeated).flatMap(([field, [one, other]]) => [
    {
      name: `two different ${field} headers`,
      bytes: request('POST /api/auth/phone/login', [one, other], '{}'),
      code: 'REQUEST_INVALID' as const,
      field,
    },
    {
      name: `two equal ${field} headers`,
      bytes: request('POST /api/auth/phone/login', [one, one], '{}'),
      code: 'REQUEST_INVALID' as const,
      field,
    },
    {
      name: `two ${field} headers in different case`,
      bytes: request('POST /api/auth/phone/login', [one, other.toUpperCase()], '{}'),
      code: 'REQUEST_INVALID' as const,
      field,
    },
  ]),
  ...encodings.map((encoding) => ({
    name: `the content encoding ${encoding}`,
    bytes: request(
      'POST /api/auth/phone/login',
      ['Content-Type: application/json', `Content-Encoding: ${encoding}`],
      '{}',
    ),
    code: 'MEDIA_TYPE_UNSUPPORTED' as const,
  })),
  ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].flatMap((name) => [
    {
      name: `DELETE by ${name} without a token`,
      bytes: request('GET /api/auth/me', [`${name}: DELETE`]),
      code: 'ACCESS_TOKEN_MISSING' as const,
    },
    {
      name: `GET by ${name} on POST`,
      bytes: request('POST /api/auth/me', [`${name}: GET`]),
      code: 'METHOD_NOT_ALLOWED' as const,
    },
  ]),
  { name: 'a method in the query', bytes: request('POST /api/auth/me?_method=GET'), code: 'METHOD_NOT_ALLOWED' },
  {
    name: 'an upgrade to a WebSocket on an unknown path',
    bytes: request('GET /nowhere', [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]),
    code: 'NOT_FOUND',
  },
  {
    name: 'an upgrade to a WebSocket without a token',
    bytes: request('GET /api/auth/me', ['Connection: Upgrade', 'Upgrade: websocket']),
    code: 'ACCESS_TOKEN_MISSING',
  },
  {
    name: 'an upgrade to HTTP/2',
    bytes: request(
      'POST /api/auth/phone/login',
      [
        'Content-Type: application/json',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ],
      '{}',
    ),
    code: 'REQUEST_INVALID',
  },
  {
    name: 'a forwarded host and IP address of nonsense',
    bytes: request('GET /nowhere', [
      'X-Forwarded-For: \xff, 1.2.3, ::::',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: gopher',
      'Forwarded: for=;',
    ]),
    code: 'NOT_FOUND',
  },
  {
    name: 'a request id with a line break',
    bytes: request('GET /nowhere', ['X-Request-Id: a%0d%0aX-Evil:1']),
    code: 'NOT_FOUND',
  },
  {
    name: 'a request id of 1000 letters',
    bytes: request('GET /nowhere', [`X-Request-Id: ${'a'.repeat(1000)}`]),
    code: 'NOT_FOUND',
  },
  { name: 'a header of 8 KB on an unknown path', bytes: withHeader(`X-A: ${'a'.repeat(8000)}`), code: 'NOT_FOUND' },
  {
    name: 'an Accept-Language of nonsense',
    bytes: request('GET /nowhere', [`Accept-Language: ;;q=,,*;q=9,${'x'.repeat(2000)}`]),
    code: 'NOT_FOUND',
  },
];

function refused(
  all: Readonly<Record<string, string>>,
  write: (text: string) => string,
  code: FailureCode,
  field?: string,
): BrokenRequest[] {
  return Object.entries(all).map(([name, text]) => ({
    name,
    bytes: write(text),
    code,
    ...(field !== undefined && { field }),
  }));
}
