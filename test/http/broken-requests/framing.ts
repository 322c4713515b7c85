// Broken requests: where a body begins and ends, by Content-Length and Transfer-Encoding.
import type { BrokenRequest } from '../../helpers/requests/raw-request.ts';

/** Would count a wrong code if it were accepted as a whole. */
const content = '{"phone":"+12025550123","otp":"000000"}';
const length = `Content-Length: ${content.length}`;
const size = content.length.toString(16);
/** Follows every body on its connection and must never be answered. */
const smuggled = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
const chunked = `${size}\r\n${content}\r\n0\r\n\r\n`;

const lengths: Readonly<Record<string, string>> = {
  'a negative length': '-1',
  'a length with a plus': `+${content.length}`,
  'a length with a fraction': `${content.length}.0`,
  'a length in hex': `0x${size}`,
  'a length with an exponent': '3e1',
  'a length of two numbers': `${content.length}, ${content.length}`,
  'a length with a space inside': '3 9',
  'a length of letters': 'many',
  'an empty length': '',
  'a length over 64 bits': '18446744073709551616',
  'a length of 30 digits': '9'.repeat(30),
  'a length in other digits': '\u0663\u0669',
  'a length with a semicolon': `${content.length};`,
  'a length after a vertical tab': `\v${content.length}`,
};

const codings: Readonly<Record<string, string>> = {
  'the transfer coding identity': 'identity',
  'the transfer coding gzip': 'gzip',
  'the transfer coding deflate': 'deflate',
  'an empty transfer coding': '',
  'a transfer coding that only ends like chunked': 'xchunked',
  'a transfer coding that only begins like chunked': 'chunkedx',
  'chunked with a parameter': 'chunked;q=1',
  'chunked in quotes': '"chunked"',
  'chunked twice': 'chunked, chunked',
  'chunked before identity': 'chunked, identity',
  'chunked before gzip': 'chunked, gzip',
  'chunked and a comma': 'chunked,',
  'chunked and a vertical tab': 'chunked\v',
};

/** The parser of Node accepts these as chunked. */
const doubtfulCodings: Readonly<Record<string, string>> = {
  'gzip before chunked': 'gzip, chunked',
  'identity before chunked': 'identity, chunked',
  'an unknown coding before chunked': 'x, chunked',
  'a comma before chunked': ',chunked',
};

const chunks: Readonly<Record<string, string>> = {
  'a chunk size of letters': 'size\r\n',
  'a negative chunk size': '-1\r\n',
  'a chunk size over 64 bits': `${'f'.repeat(17)}\r\n`,
  'a chunk size with 0x': `0x${chunked}`,
  'a space before a chunk size': ` ${chunked}`,
  'a space after a chunk size': `${size} \r\n${content}\r\n0\r\n\r\n`,
  'an empty chunk size': `\r\n${content}\r\n0\r\n\r\n`,
  'chunks with line feeds alone': chunked.replaceAll('\r\n', '\n'),
  'a chunk longer than its size': `${size}\r\n${content}x\r\n0\r\n\r\n`,
  'a chunk extension of 20 KB': `${size};${'x'.repeat(20_000)}\r\n${content}\r\n0\r\n\r\n`,
  'a line feed inside a chunk extension': `${size};a="\n"\r\n${content}\r\n0\r\n\r\n`,
  'a trailer without a colon': `${size}\r\n${content}\r\n0\r\ntrailer\r\n\r\n`,
  'a trailer with a length': `${size}\r\n${content}\r\n0\r\nContent-Length: 3\r\n\r\n`,
  'a trailer that is folded': `${size}\r\n${content}\r\n0\r\nX-A: a\r\n b\r\n\r\n`,
};

const cutShort: Readonly<Record<string, string>> = {
  'a body shorter than its length': loginBytes([`Content-Length: ${content.length + 10}`], content),
  'no body at all after a length': loginBytes([length], ''),
  'a chunk shorter than its size': loginBytes(['Transfer-Encoding: chunked'], `${size}\r\n${content.slice(0, 9)}`),
  'chunks without a last one': loginBytes(['Transfer-Encoding: chunked'], `${size}\r\n${content}\r\n`),
};

export const framing: readonly BrokenRequest[] = [
  ...of(lengths, (text) => loginBytes([`Content-Length: ${text}`], content)),
  ...of(codings, (text) => loginBytes([`Transfer-Encoding: ${text}`], chunked)),
  ...of(doubtfulCodings, (text) => loginBytes([`Transfer-Encoding: ${text}`], chunked), 'transfer-encoding'),
  ...of(chunks, (text) => loginBytes(['Transfer-Encoding: chunked'], text)),
  ...of(
    {
      'a length and chunks': loginBytes([length, 'Transfer-Encoding: chunked'], chunked),
      'chunks and a length': loginBytes(['Transfer-Encoding: chunked', length], chunked),
      'a length of 0 and chunks': loginBytes(['Content-Length: 0', 'Transfer-Encoding: chunked'], chunked),
      'two equal lengths': loginBytes([length, length], content),
      'two different lengths': loginBytes([length, 'Content-Length: 2'], content),
      'two lengths in different case': loginBytes([length, 'content-LENGTH: 2'], content),
      'two equal transfer codings': loginBytes(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked),
      'chunked in a header before identity': loginBytes(
        ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
        chunked,
      ),
      'a space between a length’s name and colon': loginBytes([`Content-Length : ${content.length}`], content),
      'a space between a transfer coding’s name and colon': loginBytes(['Transfer-Encoding : chunked'], chunked),
      'a folded transfer coding': loginBytes(['Transfer-Encoding:\r\n chunked'], chunked),
      'a folded length': loginBytes([`Content-Length:\r\n ${content.length}`], content),
    },
    (text) => text,
  ),
  ...of(
    { 'chunks in HTTP/1.0': loginBytes(['Transfer-Encoding: chunked'], chunked).replace('HTTP/1.1', 'HTTP/1.0') },
    (text) => text,
    'transfer-encoding',
  ),
  ...Object.entries(cutShort).map(([name, bytes]) => ({
    name,
    bytes,
    code: 'REQUEST_INVALID' as const,
    isLast: true as const,
    options: { halfClose: true },
  })),
  {
    name: 'trailers of 24 KB',
    bytes: loginBytes(['Transfer-Encoding: chunked'], `${size}\r\n${content}\r\n0\r\n${'a: b\r\n'.repeat(4000)}\r\n`),
    code: 'HEADERS_TOO_LARGE',
    isLast: true,
  },
];

function loginBytes(headers: readonly string[], body: string): string {
  const own = ['POST /api/auth/phone/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  return `${[...own, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function of(all: Readonly<Record<string, string>>, write: (text: string) => string, field = ''): BrokenRequest[] {
  return Object.entries(all).map(([name, text]) => ({
    name,
    bytes: `${write(text)}${smuggled}`,
    code: 'REQUEST_INVALID',
    field,
    isLast: true,
  }));
}
