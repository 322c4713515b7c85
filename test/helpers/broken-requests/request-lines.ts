// Broken requests: request lines that are not HTTP/1.1, and unknown targets.
import { type BrokenRequest, request } from '../raw-request.ts';

const rest = '\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const uuid = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';

const malformed: Readonly<Record<string, string>> = {
  'an empty request line before headers': '',
  'a request line of one space': ' ',
  'a method alone': 'GET',
  'a request line without a version': 'GET /livez',
  'a request line with a space for a version': 'GET /livez ',
  'HTTP/0.9 named as version': 'GET /livez HTTP/0.9',
  'HTTP/1.2': 'GET /livez HTTP/1.2',
  'HTTP/1.10': 'GET /livez HTTP/1.10',
  'HTTP/2.0 named as version': 'GET /livez HTTP/2.0',
  'HTTP/3': 'GET /livez HTTP/3',
  'a version of letters': 'GET /livez HTTP/one.one',
  'a version without a minor number': 'GET /livez HTTP/1',
  'a version in lower case': 'GET /livez http/1.1',
  'another protocol’s name': 'GET /livez HTCPCP/1.0',
  'text after the version': 'GET /livez HTTP/1.1 x',
  'a space before the method': ' GET /livez HTTP/1.1',
  'tabs instead of spaces': 'GET\t/livez\tHTTP/1.1',
  'a method in lower case': 'get /livez HTTP/1.1',
  'an unknown method': 'FETCH /livez HTTP/1.1',
  'a method that is not a token': 'G<T /livez HTTP/1.1',
  'a method of 1000 letters': `${'G'.repeat(1000)} /livez HTTP/1.1`,
  'a method with a NUL': 'GE\0T /livez HTTP/1.1',
  'a target without a slash': 'GET livez HTTP/1.1',
  'a target that begins with a query': 'GET ?x HTTP/1.1',
  'a target with a backslash first': 'GET \\livez HTTP/1.1',
  'a space inside the target': 'GET /live z HTTP/1.1',
  'a NUL inside the target': 'GET /live\0z HTTP/1.1',
  'a DEL inside the target': 'GET /live\x7fz HTTP/1.1',
  'a raw byte over 127 in the target': 'GET /live\xffz HTTP/1.1',
  'raw UTF-8 in the target': 'GET /\xc3\xa9 HTTP/1.1',
  'the preface of HTTP/2': 'PRI * HTTP/2.0',
  'the beginning of a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an answer instead of a request': 'HTTP/1.1 200 OK',
  'a request of RTSP': 'DESCRIBE rtsp://localhost/x RTSP/1.0',
  'a request of SIP': 'INVITE sip:ann@example.com SIP/2.0',
  'a greeting of SMTP': 'EHLO example.com',
  'a command of Redis': '*1\r\n$4\r\nPING',
};

const badTargets: Readonly<Record<string, string>> = {
  'a percent sign without digits': '/%',
  'a percent sign with letters': '/%zz',
  'a half percent-encoding': '/api/%a',
  'percent-encoded bytes that are not UTF-8': '/%ff',
  'an overlong percent-encoding of a slash': '/%c0%af',
  'a percent-encoded lone surrogate': '/%ed%a0%80',
  'an absolute target without a host': 'http://',
};

const nowhere: Readonly<Record<string, string>> = {
  'an unknown path': '/nowhere',
  'an empty path segment first': '//livez',
  'an empty path segment inside': '/api//auth/me',
  'a slash at the end': '/livez/',
  'a path in upper case': '/LIVEZ',
  'dot segments': '/api/../livez',
  'dot segments at the start': '/../livez',
  'percent-encoded dot segments': '/api/%2e%2e/livez',
  'dot segments that climb out': '/../../../../etc/passwd',
  'a single dot segment': '/./livez',
  'a path parameter after a semicolon': '/livez;jsessionid=1',
  'a semicolon alone': '/livez;',
  'a percent-encoded slash': '/api%2fauth%2fme',
  'a percent-encoded NUL': '/livez%00',
  'a percent-encoded line break': '/livez%0d%0aX-Evil:%201',
  'a percent-encoded question mark': '/livez%3Fx',
  'a twice encoded path': '/%256civez',
  'a path of 9 KB': `/${'a'.repeat(9000)}`,
  'a path of 7000 segments': '/a'.repeat(7000),
  'a path that only begins like another': '/api/auth/mexico',
  'the parent of a path': '/api/auth',
  'a path below another': '/api/auth/me/x',
  'a parameter left out': '/api/auth/sessions/',
  'a name of a prototype': '/__proto__',
  'a name of an object’s method': '/constructor',
  'an asterisk': '*',
  'the absolute URL of another site': 'http://evil.example/nowhere',
  'a script in the path': '/<script>alert(1)</script>',
  'a template in the path': '/$%7Bjndi:ldap://evil.example/x%7D',
  'a backslash in the path': '/api\\auth\\me',
  'a path of a common scanner': '/.env',
};

export const requestLines: readonly BrokenRequest[] = [
  ...Object.entries(malformed).map(([name, line]) => ({
    name,
    bytes: `${line}${rest}`,
    code: 'REQUEST_INVALID' as const,
  })),
  ...Object.entries(badTargets).map(([name, target]) => ({
    name,
    bytes: request(`GET ${target}`),
    code: 'REQUEST_INVALID' as const,
    field: 'url',
  })),
  ...Object.entries(nowhere).map(([name, target]) => ({
    name,
    bytes: request(`GET ${target}`),
    code: 'NOT_FOUND' as const,
  })),
  { name: 'a request line of 20 KB', bytes: request(`GET /${'a'.repeat(20_000)}`), code: 'HEADERS_TOO_LARGE' },
  { name: 'a query of 20 KB', bytes: request(`GET /livez?${'a'.repeat(20_000)}`), code: 'HEADERS_TOO_LARGE' },
  {
    name: 'a session id of 300 letters',
    bytes: ({ accessToken }) =>
      request(`DELETE /api/auth/sessions/${'a'.repeat(300)}`, [`Authorization: Bearer ${accessToken}`]),
    code: 'NOT_FOUND',
  },
  ...['%zz', 'x', uuid, uuid.toUpperCase(), `${uuid}%00`, "' or 1=1 --".replaceAll(' ', '%20'), '..', 'undefined'].map(
    (id) => ({
      name: `the session id ${id}`,
      bytes: ({ accessToken }: { accessToken: string }) =>
        request(`DELETE /api/auth/sessions/${id}`, [`Authorization: Bearer ${accessToken}`]),
      code: 'NOT_FOUND' as const,
    }),
  ),
  ...['-1', 'x', 'NaN', '1&wait=2'].map((wait) => ({
    name: `the inbox’s wait of ${wait}`,
    bytes: request(`GET /api/inbox?wait=${wait}`),
    code: 'REQUEST_INVALID' as const,
    field: 'wait',
  })),
  { name: 'a NUL in a query', bytes: request('GET /api/inbox?to=a%00'), code: 'REQUEST_INVALID', field: 'to' },
  {
    name: 'a recipient of 400 letters in the inbox’s query',
    bytes: request(`GET /api/inbox?to=${'a'.repeat(400)}`),
    code: 'REQUEST_INVALID',
    field: 'to',
  },
];
