// Broken requests: bodies that are not a JSON object in UTF-8, too deep, too large, or with characters that no store can keep.
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type BrokenRequest, request } from '../../helpers/requests/raw-request.ts';

const good = '{"recipient":"+12025550123"}';
const bytes = (...values: number[]) => Buffer.from(values);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const noObject: Readonly<Record<string, string | Buffer>> = {
  'white space': '   ',
  'a line break': '\r\n',
  'one byte': '{',
  null: 'null',
  true: 'true',
  'a number': '42',
  'a string': '"+12025550123"',
  'an empty array': '[]',
  'an object inside an array': `[${good}]`,
  'an object cut short': good.slice(0, -1),
  'a string cut short': good.slice(0, -4),
  'two objects': `${good}${good}`,
  'an object and a word': `${good} x`,
  'an object and a NUL': `${good}\0`,
  'a comma at the end': '{"recipient":"+12025550123",}',
  'two commas': '{"recipient":"+12025550123",,"a":1}',
  'a name without quotes': '{recipient:"+12025550123"}',
  'single quotes': "{'recipient':'+12025550123'}",
  'a missing colon': '{"recipient" "+12025550123"}',
  'a comment': `{/* to */"recipient":"+12025550123"}`,
  NaN: '{"recipient":NaN}',
  Infinity: '{"recipient":-Infinity}',
  undefined: '{"recipient":undefined}',
  'a number with a leading zero': '{"recipient":"+12025550123","a":01}',
  'a number in hex': '{"recipient":"+12025550123","a":0x1}',
  'a number without a fraction': '{"recipient":"+12025550123","a":1.}',
  'a raw line break in a string': '{"recipient":"+1202\n5550123"}',
  'a raw tab in a string': '{"recipient":"+1202\t5550123"}',
  'a raw NUL in a string': '{"recipient":"+1202\x005550123"}',
  'an unknown escape': '{"recipient":"\\+12025550123"}',
  'a short unicode escape': '{"recipient":"\\u12"}',
  'a form': 'recipient=%2B12025550123',
  XML: '<recipient>+12025550123</recipient>',
  'a byte order mark': `\ufeff${good}`,
  'UTF-16': utf16(good),
  'UTF-16 with a byte order mark': Buffer.concat([bytes(0xff, 0xfe), utf16(good)]),
  'bytes that are not UTF-8': Buffer.concat([Buffer.from('{"recipient":"'), bytes(0xff, 0xfe), Buffer.from('"}')]),
  'an overlong UTF-8 sequence': Buffer.concat([Buffer.from('{"recipient":"'), bytes(0xc0, 0xaf), Buffer.from('"}')]),
  'a surrogate in UTF-8': Buffer.concat([Buffer.from('{"recipient":"'), bytes(0xed, 0xa0, 0x80), Buffer.from('"}')]),
  'UTF-8 cut short': Buffer.concat([Buffer.from('{"recipient":"'), bytes(0xe2, 0x82)]),
  'Latin-1': Buffer.from('{"recipient":"é"}', 'latin1'),
  'gzip bytes': bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  '10,000 open brackets': '['.repeat(10_000),
  '10,000 open braces': '{"a":'.repeat(3000),
  '8000 nested arrays': `{"recipient":${'['.repeat(8000)}${']'.repeat(8000)}}`,
  '2000 nested objects': `{"recipient":"+12025550123","a":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  '33 levels': `{"recipient":"+12025550123","a":${'['.repeat(32)}${']'.repeat(32)}}`,
  'a name __proto__': '{"recipient":"+12025550123","__proto__":{"admin":true}}',
  'an escaped name __proto__': '{"recipient":"+12025550123","__proto\\u005f_":1}',
  'a name __proto__ further down': '{"recipient":"+12025550123","a":[{"__proto__":1}]}',
};

const badText: Readonly<Record<string, readonly [body: string, field: string]>> = {
  'a NUL escape in a value': ['{"recipient":"+1202\\u00005550123"}', 'recipient'],
  'a lone high surrogate in a value': ['{"recipient":"\\ud83d"}', 'recipient'],
  'a lone low surrogate in a value': ['{"recipient":"\\ude00+12025550123"}', 'recipient'],
  'surrogates in the wrong order': ['{"recipient":"\\ude00\\ud83d"}', 'recipient'],
  'a NUL escape in a name': ['{"recipient":"+12025550123","a\\u0000":1}', 'body'],
  'a lone surrogate in a name': ['{"recipient":"+12025550123","\\ud800":1}', 'body'],
  'a NUL escape in an unknown field': ['{"recipient":"+12025550123","note":"\\u0000"}', 'note'],
  'a lone surrogate further down': ['{"recipient":"+12025550123","note":[{"a":"\\ud800"}]}', 'note'],
  'a NUL under a name of 300 letters': [`{"recipient":"+12025550123","${'a'.repeat(300)}":"\\u0000"}`, 'body'],
  'a NUL under a name with a tag': ['{"recipient":"+12025550123","<b>":"\\u0000"}', 'body'],
};

const validated: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'a name in another case': '{"Recipient":"+12025550123"}',
  'a name with a space': '{"recipient ":"+12025550123"}',
  'constructor.prototype': '{"constructor":{"prototype":{"recipient":"+12025550123"}}}',
  'names of an object’s methods': '{"toString":1,"hasOwnProperty":1,"valueOf":1}',
  'a repeated name whose last value is bad': '{"recipient":"+12025550123","recipient":1}',
  'a number over all bounds': '{"recipient":1e999}',
  '3000 unknown fields': `{${Array.from({ length: 1500 }, (_, index) => `"a${index}":1`).join(',')}}`,
  'exactly 16 KiB without the field': `{"a":"${'a'.repeat(16_384 - 8)}"}`,
};

const oversize = `{"recipient":"+12025550123","a":"${'a'.repeat(16_385 - 35)}"}`;

export const jsonBodies: readonly BrokenRequest[] = [
  ...Object.entries(noObject).map(([name, body]) => codeRequest(`${name} as a body`, body, 'JSON_INVALID')),
  ...Object.entries(badText).map(([name, [body, field]]) => codeRequest(name, body, 'REQUEST_INVALID', field)),
  ...Object.entries(validated).map(([name, body]) =>
    codeRequest(`${name} as a body`, body, 'REQUEST_INVALID', 'recipient'),
  ),
  codeRequest('an empty body', '', 'REQUEST_INVALID', 'body'),
  codeRequest('a body of 16 KiB and one byte', oversize, 'BODY_TOO_LARGE', '16 KiB'),
  codeRequest('a body of 2 MB', ' '.repeat(2_000_000), 'BODY_TOO_LARGE', '16 KiB'),
  {
    name: 'a length of 10 GB before any byte of it',
    bytes: ({ captcha }) =>
      [
        'POST /api/auth/phone/send/otp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `captcha-token: ${captcha}`,
        'Content-Length: 10000000000\r\n\r\n',
      ].join('\r\n'),
    code: 'BODY_TOO_LARGE',
  },
  inChunks('16 KiB and one byte in one chunk', [oversize], 'BODY_TOO_LARGE'),
  inChunks('16 KiB and one byte in chunks of one byte', oversize.split(''), 'BODY_TOO_LARGE'),
  inChunks('chunks that never fit', Array(40).fill(' '.repeat(1000)), 'BODY_TOO_LARGE'),
  inChunks('no chunk at all', [], 'REQUEST_INVALID'),
  inChunks('broken JSON in chunks', ['{"recip', 'ient":'], 'JSON_INVALID'),
  inChunks('a character split over two broken chunks', ['{"recipient":"\xe2', '"}'], 'JSON_INVALID'),
];

function codeRequest(name: string, body: string | Buffer, code: FailureCode, field?: string): BrokenRequest {
  return {
    name,
    bytes: ({ captcha }) =>
      request('POST /api/auth/phone/send/otp', ['Content-Type: application/json', `captcha-token: ${captcha}`], body),
    code,
    ...(field !== undefined && { field }),
  };
}

/** The characters of the chunks are bytes. */
function inChunks(name: string, chunks: readonly string[], code: FailureCode): BrokenRequest {
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return {
    name,
    bytes: ({ captcha }) =>
      [
        'POST /api/auth/phone/send/otp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        `captcha-token: ${captcha}`,
        `\r\n${body}0\r\n\r\n`,
      ].join('\r\n'),
    code,
  };
}
