// Corrupts request lines and framing: methods, targets, ids, queries, and contradicting lengths and chunks.
import { type Chance, flipped, nudged } from './chance.ts';
import { type Draft, dropHeader, setHeader, type World } from './draft.ts';
import { oddPiece } from './odd-values.ts';

const plainMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'PURGE',
];
const endingMethods = [
  'CONNECT',
  'PRI',
  'get',
  'FOO',
  '',
  'GET\t',
  'M-SEARCH',
  'DESCRIBE',
  'SETUP',
  'X'.repeat(300),
  '\x16\x03\x01',
];

/** A DELETE gets another path, so that it does not delete what other requests read. */
export function spoilMethod(draft: Draft, chance: Chance): void {
  draft.isAlone = chance.happens(0.2);
  draft.method = chance.pick(draft.isAlone ? endingMethods : plainMethods);
  if (draft.method === 'DELETE') draft.target += '/x';
  draft.marks.push(`method ${draft.method.slice(0, 10)}`);
}

export function preflight(draft: Draft, chance: Chance): void {
  draft.method = 'OPTIONS';
  draft.body = undefined;
  setHeader(draft, 'Origin', chance.pick(['https://app.example.com', 'https://evil.example', 'null', '']));
  setHeader(draft, 'Access-Control-Request-Method', chance.pick(['POST', 'DELETE', 'NOPE', '', 'post']));
  setHeader(draft, 'Access-Control-Request-Headers', chance.pick(['authorization', 'x-evil', '', ','.repeat(900)]));
  draft.marks.push('preflight');
}

export function spoilTarget(draft: Draft, chance: Chance): void {
  const { target } = draft;
  const [path = '', query] = target.split('?', 2);
  const pieces = path.split('/');
  const at = 1 + chance.below(pieces.length - 1);
  const ways: Record<string, () => string> = {
    'odd piece': () => pieces.toSpliced(at, 1, oddPiece(chance)).join('/'),
    'odd piece more': () => pieces.toSpliced(at, 0, oddPiece(chance)).join('/'),
    'trailing slash': () => `${path}/`,
    'double slash': () => `/${target}`,
    capitals: () => path.toUpperCase(),
    'escaped letters': () => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    'escaped slash': () => `/${path.slice(1).replaceAll('/', '%2f')}`,
    'dot segments': () => `/x/..${path}/./../${pieces.at(-1)}`,
    nudged: () => `/${nudged(path.slice(1), chance, 'a/%.;~')}`,
    absolute: () => `http://${chance.pick(['localhost', 'evil.example', '127.0.0.1:1'])}${target}`,
    'a fragment': () => `${target}#x`,
    'a backslash': () => target.replaceAll('/', '\\').replace('\\', '/'),
    'raw bytes': () =>
      `${target}${chance
        .bytes(6)
        .toString('latin1')
        .replaceAll(/[\0-\x20\x7f]/g, 'x')}`,
    long: () => `${target}/${'x'.repeat(chance.pick([300, 4000, 9000]))}`,
    asterisk: () => '*',
    'another query': () => `${path}?${query ?? ''}&${oddQuery(chance)}`,
    'many parameters': () => `${path}?${'a=1&'.repeat(chance.pick([500, 1500]))}`,
  };
  const way = chance.pick(Object.keys(ways));
  draft.target = ways[way]?.() ?? target;
  draft.isAlone ||= way === 'absolute' || way === 'a fragment' || way === 'raw bytes';
  draft.marks.push(`target: ${way}`);
}

const parameters = [
  'cursor',
  'limit',
  'purpose',
  'name',
  'redirect',
  'download',
  'to',
  'after',
  'token',
  '__proto__',
  'toString',
];

function oddQuery(chance: Chance): string {
  const name = chance.pick(parameters);
  return chance.pick([
    `${name}=${oddPiece(chance)}`,
    `${name}=${oddPiece(chance)}&${name}=${oddPiece(chance)}`,
    `${name}[]=1&${name}[x]=2`,
    `${name}`,
    `=${oddPiece(chance)}`,
    `${oddPiece(chance)}=${oddPiece(chance)}`,
  ]);
}

export function spoilQuery(draft: Draft, names: readonly string[], chance: Chance): void {
  const [path = ''] = draft.target.split('?', 1);
  const name = chance.pick(names.length > 0 ? names : parameters);
  const value = name === 'cursor' && chance.happens(0.5) ? oddCursor(chance) : oddPiece(chance);
  draft.target = `${path}?${name}=${value}${chance.happens(0.2) ? `&${oddQuery(chance)}` : ''}`;
  draft.marks.push('query');
}

/** A cursor of each form, valid or almost valid. */
function oddCursor(chance: Chance): string {
  const [at, id] = [chance.below(2e9) * 1000, chance.bytes(16).toString('hex')];
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const file = `${at} fil_${chance.bytes(16).toString('base64url').slice(0, 22)}`;
  const cursor = chance.pick([uuid, `${at}_${uuid}`, Buffer.from(file).toString('base64url')]);
  return encodeURIComponent(chance.happens(0.5) ? cursor : nudged(cursor, chance, '0123456789abcdef-_ '));
}

const anyId = /[0-9a-f]{8}-[0-9a-f-]{27}|fil_[\w-]{22}/g;

/** Ids that are almost right, of the wrong kind, or empty. */
export function spoilId(draft: Draft, { files, resident }: World, chance: Chance): void {
  const file = chance.pick(files);
  const session = chance.pick(resident.sessionIds);
  const id = chance.pick([
    () => `fil_${flipped(Buffer.from(file.slice(4), 'base64url'), chance).toString('base64url')}`,
    () => nudged(file, chance, 'aZ0-_%.'),
    () => `fil_${chance.bytes(16).toString('base64url')}`,
    () => `fil_${'A'.repeat(chance.below(60))}`,
    () => file.toUpperCase(),
    () => file.replace('fil_', ''),
    () => `${file}%00`,
    () => `${file}.png`,
    () => session,
    () => session.toUpperCase(),
    () => session.replaceAll('-', ''),
    () => `{${session}}`,
    () => `urn:uuid:${session}`,
    () => nudged(session, chance, '0123456789abcdef-'),
    () => '00000000-0000-0000-0000-000000000000',
    () => '0'.repeat(chance.pick([1, 20, 5000])),
    () => oddPiece(chance),
  ])();
  const given = draft.target.match(anyId) ?? [''];
  draft.target = draft.target.replace(chance.pick(given), () => id);
  draft.marks.push(`id ${id.slice(0, 40)}`);
}

/** Always the last request on its connection, because it is unclear where the next would start. */
export function spoilFraming(draft: Draft, chance: Chance): void {
  const body = draft.body ?? Buffer.from('{}');
  // The answer to HEAD has no body, and the reader could not tell which answer that is.
  if (draft.method === 'HEAD') draft.method = 'GET';
  const kept = draft.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const [line, host] = [
    `${draft.method} ${draft.target} `,
    kept.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  ];
  const type = 'Content-Type: application/json\r\n';
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const length = `Content-Length: ${body.length}\r\n`;
  const chunk = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
  const ways: Record<string, [head: string, content: Buffer | string]> = {
    'too long a length': [
      `${line}HTTP/1.1\r\n${host}${type}Content-Length: ${body.length + 1 + chance.below(99)}\r\n\r\n`,
      body,
    ],
    'too short a length': [
      `${line}HTTP/1.1\r\n${host}${type}Content-Length: ${chance.below(body.length)}\r\n\r\n`,
      body,
    ],
    'an odd length': [
      `${line}HTTP/1.1\r\n${host}Content-Length: ${chance.pick(['-1', '+5', '0x5', '5,5', '1e1', '٣', '', '99999999999999999999'])}\r\n\r\n`,
      body,
    ],
    'two lengths': [`${line}HTTP/1.1\r\n${host}${length}Content-Length: ${chance.below(9)}\r\n\r\n`, body],
    'length and chunks': [`${line}HTTP/1.1\r\n${host}${type}${length}${chunked}\r\n`, `${chunk}0\r\n\r\n`],
    'odd coding': [
      `${line}HTTP/1.1\r\n${host}Transfer-Encoding: ${chance.pick(['gzip, chunked', 'chunked, chunked', 'xchunked', 'chunked;x', 'identity', '"chunked"'])}\r\n\r\n`,
      `${chunk}0\r\n\r\n`,
    ],
    'an odd chunk': [
      `${line}HTTP/1.1\r\n${host}${type}${chunked}\r\n`,
      chance.pick([
        'zz\r\n',
        '-1\r\nx\r\n',
        'ffffffffffffffffff\r\n',
        '5\r\nabc\r\n0\r\n\r\n',
        '1;x="\r\na\r\n',
        '\r\n\r\n',
        '0\r\n',
      ]),
    ],
    'chunks of one byte': [
      `${line}HTTP/1.1\r\n${host}${type}${chunked}\r\n`,
      `${[...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('')}0\r\n\r\n`,
    ],
    trailers: [
      `${line}HTTP/1.1\r\n${host}${type}${chunked}Trailer: RT\r\n\r\n`,
      `${chunk}0\r\nRT: x\r\nContent-Length: 5\r\n\r\n`,
    ],
    'another version': [
      `${line}HTTP/${chance.pick(['1.0', '0.9', '2.0', '1.2', '3', '1', '11.1', '1.1.1'])}\r\n${host}${type}${length}\r\n`,
      body,
    ],
    'bare line feeds': [`${line}HTTP/1.1\n${host.replaceAll('\r', '')}${length.trim()}\n\n`, body],
    'a folded header': [`${line}HTTP/1.1\r\n${host}X-A: b\r\n c\r\n${length}\r\n`, body],
    'no version': [`${line.trim()}\r\n\r\n`, ''],
    'a nameless header': [`${line}HTTP/1.1\r\n${host}: x\r\n\r\n`, ''],
    'a blank before the colon': [`${line}HTTP/1.1\r\n${host}Content-Length : ${body.length}\r\n\r\n`, body],
    'a NUL in a header': [`${line}HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, ''],
    'a head that ends early': [`${line}HTTP/1.1\r\n${host}X-A: `, ''],
    noise: [chance.bytes(1 + chance.below(400)).toString('latin1'), ''],
    'a TLS greeting': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', chance.bytes(40)],
    'an HTTP/2 greeting': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
  };
  const way = chance.pick(Object.keys(ways));
  const [head, content] = ways[way] ?? ['', ''];
  dropHeader(draft, 'content-length');
  draft.head = head;
  draft.body = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  draft.isHalfClosed = true;
  draft.marks.push(`framing: ${way}`);
}
