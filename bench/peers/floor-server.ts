// The floor: the bare work of each call on node:http, by hand. A measure and not a product: no limits, rules, logs or failures.
import { randomInt } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openFloorStore } from './floor-store.ts';
import { hashOf, isValid, randomToken, signToken } from './floor-tokens.ts';
import { readSettings, serve } from './served.ts';

const { folder = '' } = readSettings();
const store = openFloorStore(join(folder, 'floor.db'));
const codeLife = 300_000;
const small = Buffer.alloc(4096, 'a');
/** What was sent, for the load generator. */
let sent: [phone: string, code: string][] = [];
let lastFile = 0;

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void;

const handlers: Readonly<Record<string, Handler>> = {
  '/livez': (_, response) => succeed(response, 'null'),
  '/file/4KiB': (incoming, response) => {
    if (!isValid(incoming.headers.authorization)) return refuse(response);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': small.length });
    response.end(small);
  },
  '/api/auth/phone/send/otp': (incoming, response) =>
    readJson<{ recipient: string }>(incoming, ({ recipient }) => {
      const code = String(randomInt(100_000, 1_000_000));
      store.keepCode(recipient, hashOf(recipient + code), Date.now() + codeLife, () => {
        sent.push([recipient, code]);
        succeed(response, 'null');
      });
    }),
  '/api/auth/phone/login': (incoming, response) =>
    readJson<{ phone: string; otp: string }>(incoming, ({ phone, otp }) => {
      const token = randomToken();
      store.useCode(phone, hashOf(phone + otp), hashOf(token), (user) => answerPair(response, user, token));
    }),
  '/api/auth/refresh-token': (incoming, response) => {
    const token = randomToken();
    const { rt = '' } = incoming.headers;
    store.useToken(hashOf(String(rt)), hashOf(token), (user) => answerPair(response, user, token));
  },
  '/api/file/upload?purpose=video': (incoming, response) => {
    if (!isValid(incoming.headers.authorization)) return refuse(response);
    keepFile(incoming, (name) => succeed(response, `{"id":"${name}"}`));
  },
};

serve(
  createServer((incoming, response) => (handlers[incoming.url ?? ''] ?? refuseAll)(incoming, response)),
  {
    takeCodes: async () => {
      const codes = sent;
      sent = [];
      return codes;
    },
    signToken: async () => signToken(1),
  },
);

function refuseAll(_: IncomingMessage, response: ServerResponse): void {
  refuse(response);
}

function answerPair(response: ServerResponse, user: number | undefined, refreshToken: string): void {
  if (user === undefined) refuse(response);
  else succeed(response, `{"JWT":"${signToken(user)}","RT":"${refreshToken}"}`);
}

function succeed(response: ServerResponse, data: string): void {
  reply(response, 200, `{"success":true,"message":"ok","codeError":null,"data":${data}}`);
}

function refuse(response: ServerResponse): void {
  reply(response, 401, '{"success":false,"message":"no","codeError":"UNAUTHORIZED","data":null}');
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function readJson<Body>(incoming: IncomingMessage, use: (body: Body) => void): void {
  let text = '';
  incoming.setEncoding('latin1');
  incoming.on('data', (piece: string) => {
    text += piece;
  });
  incoming.on('end', () => use(JSON.parse(text) as Body));
}

/** Writes the file of a form while it arrives: no hash, no check of its type, no sync. */
function keepFile(incoming: IncomingMessage, done: (name: string) => void): void {
  const [, boundary = ''] = /boundary=(.+)$/.exec(incoming.headers['content-type'] ?? '') ?? [];
  const mark = Buffer.from(`\r\n--${boundary}`);
  const name = `file-${++lastFile}`;
  const file = createWriteStream(join(folder, name), { highWaterMark: 2 ** 20 });
  let state: 'head' | 'content' | 'end' = 'head';
  /** Bytes that may be part of the head or of the mark, and wait for more. */
  let rest: Buffer = Buffer.alloc(0);
  incoming.on('data', (piece: Buffer) => {
    if (state === 'end') return;
    let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (state === 'head') {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        rest = bytes;
        return;
      }
      bytes = bytes.subarray(end + 4);
      state = 'content';
    }
    const end = bytes.indexOf(mark);
    if (end >= 0) {
      state = 'end';
      file.end(bytes.subarray(0, end));
      return;
    }
    const sure = Math.max(0, bytes.length - mark.length);
    rest = bytes.subarray(sure);
    if (sure > 0 && !file.write(bytes.subarray(0, sure))) {
      incoming.pause();
      file.once('drain', () => incoming.resume());
    }
  });
  file.on('finish', () => done(name));
}
