// Proves that no header can block the service: long runs of every kind in each header that it reads, at a path that reads it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { factor } from '../helpers/faults/rounds.ts';
import { call, type Envelope, logIn } from '../helpers/requests/api.ts';
import { checkTimes, longTexts, mixedRuns, runs } from '../helpers/requests/long-texts.ts';
import { setStage } from '../helpers/services/stage.ts';

type Request = {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Attack = Request & {
  /** Precedes the run, so that the parser reads on. */
  readonly prefix?: string;
};

const phone = '+15550100001';
const partialUpload = { 'content-type': 'application/partial-upload' };
const inUrl = (text: string) => encodeURIComponent(text).slice(0, 15_000);

const sendOtp = { method: 'POST', url: '/api/auth/phone/send/otp' } as const;
const upload = { method: 'POST', url: '/api/file/upload?purpose=attachment' } as const;
const append = { method: 'PATCH', url: '/api/file/upload/upl_AAAAAAAAAAAAAAAAAAAAAA' } as const;
const file = { url: '/file/' } as const;
const asset = { url: '/assets/' } as const;

const heads: Readonly<Record<string, readonly Attack[]>> = {
  authorization: [
    { url: '/api/auth/me', prefix: 'Bearer ' },
    { url: '/file/x', prefix: 'bearer' },
  ],
  cookie: [{ url: '/api/auth/me', prefix: 'JWT=' }, { url: '/api/auth/me' }, { url: '/', prefix: 'gatehouse_lang=' }],
  rt: [{ method: 'POST', url: '/api/auth/refresh-token', prefix: 'Bearer ' }],
  'captcha-token': [sendOtp],
  accept: [{ url: '/file/x?variant=thumb', prefix: 'image/avif;q=0.5, image/webp;' }],
  'accept-language': [{ url: '/livez', prefix: 'de;q=0.5,' }],
  'accept-encoding': [{ ...asset, prefix: 'identity, ' }],
  'x-forwarded-for': [{ url: '/livez', prefix: '10.0.0.1, ' }],
  'x-request-id': [{ url: '/livez' }],
  host: [{ url: '/api/inbox?to=x' }],
  origin: [{ method: 'POST', url: '/api/auth/logout', prefix: 'http://' }],
  'sec-fetch-dest': [{ url: `/file/fil_${'x'.repeat(22)}?l=${'A'.repeat(51)}`, prefix: 'document' }],
  'sec-fetch-user': [{ url: `/file/fil_${'x'.repeat(22)}?l=${'A'.repeat(51)}`, prefix: '?1' }],
  'sec-fetch-site': [{ method: 'POST', url: '/api/auth/logout' }],
  'access-control-request-method': [{ method: 'OPTIONS', url: '/api/auth/me' }],
  'content-type': [
    { ...sendOtp, prefix: 'application/json; charset=' },
    { ...upload, prefix: 'multipart/form-data; boundary="' },
  ],
  'content-encoding': [sendOtp],
  'content-length': [sendOtp],
  'transfer-encoding': [sendOtp],
  'user-agent': [{ method: 'POST', url: '/api/auth/phone/login', prefix: 'Mozilla/5.0 (' }],
  range: [{ ...file, prefix: 'bytes=0-1,' }],
  'if-range': [{ ...file, prefix: '"' }],
  'if-match': [{ ...file, prefix: '"a", W/' }],
  'if-none-match': [
    { ...file, prefix: '"a", W/' },
    { url: '/docs', prefix: '"a", ' },
    { url: '/brand.css', prefix: '"a", ' },
  ],
  'if-modified-since': [{ ...file, prefix: 'Sat, 01 ' }],
  'if-unmodified-since': [{ ...file, prefix: 'Sat, 01 ' }],
  'content-disposition': [{ ...upload, prefix: 'attachment; filename="' }],
  'idempotency-key': [upload],
  'repr-digest': [{ ...upload, prefix: 'sha-512=:a:, ' }],
  'content-digest': [
    {
      ...append,
      headers: { ...partialUpload, 'upload-complete': '?0', 'upload-offset': '0' },
      prefix: 'sha-512=:a:, ',
    },
    { ...upload, headers: { 'upload-complete': '?0' }, prefix: 'a=("b";c=1 ' },
  ],
  'x-file-purpose': [{ ...upload, url: '/api/file/upload' }],
  'upload-complete': [
    { ...upload, prefix: '?1' },
    { ...append, headers: partialUpload, prefix: '?0;' },
  ],
  'upload-offset': [{ ...append, headers: { ...partialUpload, 'upload-complete': '?0' }, prefix: '1' }],
  'upload-length': [{ ...upload, headers: { 'upload-complete': '?0' }, prefix: '1' }],
  'upload-draft-interop-version': [{ ...upload, headers: { 'upload-complete': '?0' }, prefix: '8' }],
};

/** A path, a query and a body are untrusted texts as well. */
const elsewhere: Readonly<Record<string, (text: string) => Request>> = {
  'a path': (text) => ({ url: `/${inUrl(text)}` }),
  'the id of an upload': (text) => ({ url: `/api/file/upload/${inUrl(text)}` }),
  'the id of a file': (text) => ({ url: `/file/${inUrl(text)}` }),
  'a cursor': (text) => ({ url: `/api/file?cursor=${inUrl(text)}` }),
  'the name in a query': (text) => ({ ...upload, url: `${upload.url}&name=${inUrl(text)}`, body: 'x' }),
  'a phone number': (recipient) => ({ ...sendOtp, body: JSON.stringify({ recipient }) }),
  'an e-mail address': (recipient) => ({
    ...sendOtp,
    url: '/api/auth/email/send/login-link',
    body: JSON.stringify({ recipient }),
  }),
  'a code': (otp) => ({ ...sendOtp, url: '/api/auth/phone/login', body: JSON.stringify({ phone, otp }) }),
  'the token of a link': (token) => ({ ...sendOtp, url: '/api/auth/email/login', body: JSON.stringify({ token }) }),
  'the head of a part': (text) => ({
    ...upload,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="file"; filename="${text.slice(0, 8000)}\r\n\r\nx\r\n--b--\r\n`,
  }),
};

describe('the worst headers and values', () => {
  const stage = setStage('sqlite', {
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    CORS_ORIGINS: 'https://app.example.com',
    LIMIT_UPLOADS_PER_USER: 'off',
    LIMIT_ATTEMPTS_PER_RECIPIENT: 'off',
    TEST_RECIPIENTS: `${phone}=000000@2999-01-01`,
  });
  // A run between other characters costs the most, and the prefix makes sure that it is read.
  const texts = factor > 1 ? longTexts([...runs, ...mixedRuns]) : longTexts(runs, ['between']);
  let authorization = '';
  /** Paths that are known only when the service runs. */
  const known = new Map<string, string>();

  before(async () => {
    await call(stage.url, 'POST', sendOtp.url, { body: { recipient: phone }, captcha: 'any' });
    authorization = `Bearer ${(await logIn(stage.url, phone, '000000')).body.data.JWT}`;
    const headers = { authorization, 'content-type': 'text/plain' };
    const stored = await fetch(`${stage.url}${upload.url}`, { method: 'POST', headers, body: 'a text' });
    known.set(file.url, `${file.url}${((await stored.json()) as Envelope).data.id}`);
    const page = await (await fetch(stage.url)).text();
    known.set(asset.url, /"(\/[^"]+\.js)"/.exec(page)?.[1] ?? assert.fail(page));
  });

  /** Sends the request unchanged, without a library that would correct it. Resolves when the service has answered or closed. */
  const send = ({ method = 'GET', url, headers = {}, body = '' }: Request) =>
    new Promise<void>((resolve) => {
      const all = {
        host: 'localhost',
        authorization,
        'content-type': 'application/json',
        connection: 'close',
        ...headers,
      };
      const length =
        method === 'POST' || method === 'PATCH' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
      const lines = Object.entries({ ...length, ...all }).map(([name, value]) => `${name}: ${value}\r\n`);
      const socket = connect(Number(stage.env.PORT), '127.0.0.1');
      socket
        .on('error', () => resolve())
        .once('data', () => socket.destroy())
        .once('close', () => resolve());
      socket.write(`${method} ${known.get(url) ?? url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1');
    });

  for (const [name, attacks] of Object.entries(heads)) {
    it(`long runs of characters in the ${name} header are handled quickly`, async () => {
      for (const { prefix = '', headers, ...attack } of attacks) {
        await checkTimes(`${attack.url} ${prefix}`, texts, (text) =>
          send({ ...attack, body: '{}', headers: { ...headers, [name]: `${prefix}${text}` } }),
        );
      }
    });
  }

  for (const [name, request] of Object.entries(elsewhere)) {
    it(`long runs of characters as ${name} are handled quickly`, () =>
      checkTimes(name, texts, (text) => send(request(text))));
  }

  it('every header that the service reads is tested with long runs', () => {
    const sources = globSync('src/http/**/*.ts').map((path) => readFileSync(path, 'utf8'));
    const found = sources.flatMap((source) =>
      [...source.matchAll(/\bheader\('([\w-]+)'\)|headers\['([\w-]+)'\](?! =)/g)].map(([, a, b]) => a ?? b ?? ''),
    );
    const missing = new Set(found).difference(new Set(Object.keys(heads)));
    assert.ok(found.length > 20);
    assert.deepEqual([...missing], []);
  });
});
