// A refusal before the end of a body: the next request on the connection is answered, or the refusal has said that the connection ends.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { appSettings } from '../../helpers/people/oauth.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { type RawReply, sendRaw } from '../../helpers/requests/raw-request.ts';
import { setStage } from '../../helpers/services/stage.ts';

const kib = 1024;
const fields = '--B\r\nContent-Disposition: form-data; name="f"\r\n\r\nvalue\r\n';
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const multipart = 'Content-Type: multipart/form-data; boundary=B';
const partial = 'Content-Type: application/partial-upload';
const upload = 'POST /api/file/upload';
const origin = 'Origin: https://elsewhere.example';

/** The status is that of the smallest body. */
type Refused = readonly [line: string, headers: readonly string[], status: number, unit?: string];

const unknownUpload = `PATCH /api/file/upload/upl_${'A'.repeat(22)}`;

/** In headers, TOKEN stands for a valid access token. Without a unit the body is white space. */
const refusals: Readonly<Record<string, Refused>> = {
  'an unknown path': ['POST /nowhere', [json], 404],
  'a malformed path': ['POST /api/%zz', [json], 400],
  'a wrong method': ['PUT /api/auth/phone/login', [json], 405],
  'an unknown method': ['SETUP /api/auth/phone/login', [json], 400],
  'a wrong type': ['POST /api/auth/phone/login', ['Content-Type: text/plain'], 415],
  'a compressed body': ['POST /api/auth/phone/login', [json, 'Content-Encoding: gzip'], 415],
  'a body that is no JSON': ['POST /api/auth/phone/login', [json], 400, '?'],
  'no access token': ['POST /api/auth/logout', [json], 401],
  'the origin of another site': ['POST /api/auth/logout', [json, 'Cookie: JWT=TOKEN', origin], 403],
  'too many requests': ['POST /api/auth/phone/login', [json, 'X-Forwarded-For: 192.0.2.1'], 429],
  'a form of another type': ['POST /oauth/token', [json], 415],
  'an unknown app': ['POST /oauth/token', [form], 401, 'a=b&'],
  'no admin interface': ['POST /api/admin/session', [json], 404],
  'no service key': ['POST /api/service/tokens/check', [json], 404],
  'no purpose': [upload, ['Authorization: Bearer TOKEN'], 400],
  'an unknown purpose': [`${upload}?purpose=x`, ['Authorization: Bearer TOKEN'], 422],
  'an upload without a token': [`${upload}?purpose=image`, [], 401],
  'a file that is none': [`${upload}?purpose=image`, ['Authorization: Bearer TOKEN', 'Content-Type: image/png'], 422],
  'a form of many fields': [`${upload}?purpose=image`, ['Authorization: Bearer TOKEN', multipart], 400, fields],
  'a form without a boundary': [upload, ['Authorization: Bearer TOKEN', 'Content-Type: multipart/form-data'], 400],
  'an upload in JSON that is none': [upload, ['Authorization: Bearer TOKEN', json], 400, '?'],
  'an unknown upload': [
    unknownUpload,
    ['Authorization: Bearer TOKEN', partial, 'Upload-Offset: 0', 'Upload-Complete: ?0'],
    404,
  ],
  'an append of another type': [unknownUpload, ['Authorization: Bearer TOKEN', json, 'Upload-Offset: 0'], 415],
};

const sizes = { small: 60, middle: 200 * kib, large: 1500 * kib };
const chunkBytes = 16 * kib;

type Framing = 'declared' | 'chunked';
type Way = 'at once' | 'at once, with the next request' | 'slowly';

describe('a refusal before the end of a body', { concurrency: 4 }, () => {
  const stage = setStage(
    'sqlite',
    () => ({
      ...appSettings(),
      TRUSTED_PROXIES: '127.0.0.1',
      LIMIT_REQUESTS_PER_IP: '20/1h',
      LIMIT_UPLOADS_PER_USER: 'off',
    }),
    { times: { server: { drainMilliseconds: 200 } } },
  );
  let token = '';
  let clients = 0;
  before(async () => {
    token = (await signIn(stage.url, newPhone())).JWT;
    const asked = head('GET /nowhere', ['X-Forwarded-For: 192.0.2.1']);
    await sendRaw(stage.url, asked.repeat(20), { replies: 20 });
  });

  const next = () => head('GET /livez', []);
  const newClient = () => `X-Forwarded-For: 198.51.100.${clients++ % 250}`;
  /** A refusal that begins now waits for its rest in vain. When it is over, so is the wait of each that began before. */
  const untilNoRestIsAwaited = async () => {
    const begun = head('POST /nowhere', [json, newClient(), 'Content-Length: 2000']) + ' '.repeat(1000);
    const replies = await sendRaw(stage.url, begun, { replies: 2 });
    assert.equal(describeReplies(replies), '404 close');
  };
  const refuse = async ([line, headers, , unit = ' ']: Refused, framing: Framing, size: number, way: Way) => {
    const own = headers.some((each) => each.startsWith('X-Forwarded-For')) ? headers : [...headers, newClient()];
    const content = unit.repeat(Math.ceil(size / unit.length));
    const length = framing === 'declared' ? `Content-Length: ${content.length}` : 'Transfer-Encoding: chunked';
    const sent = head(line, [...own, length]).replace('TOKEN', token);
    const body = framing === 'declared' ? content : inChunks(content);
    if (way === 'at once, with the next request') return sendRaw(stage.url, sent + body + next(), { replies: 2 });
    const half = way === 'slowly' ? body.length >> 1 : body.length;
    return sendRaw(stage.url, sent + body.slice(0, half), {
      replies: 2,
      goOn: async (socket: Socket) => {
        if (way === 'slowly') await untilNoRestIsAwaited();
        else await once(socket, 'data');
        socket.write(body.slice(half) + next());
      },
    });
  };

  for (const [what, refused] of Object.entries(refusals)) {
    it(`${what}: the next request is answered, or the refusal closes the connection`, async () => {
      const asked = Object.entries(sizes).flatMap(([name, size]) =>
        (['declared', 'chunked'] as const).flatMap((framing) =>
          (['at once', 'at once, with the next request', 'slowly'] as const).map(async (way) => {
            const replies = await refuse(refused, framing, size, way);
            const described = `${name}, ${framing}, ${way}: ${describeReplies(replies)}`;
            const [first, second] = replies;
            assert.ok(first !== undefined && first.status >= 400 && first.status < 500, described);
            if (name === 'small') assert.equal(first.status, refused[2], described);
            if (first.headers.connection === 'close') assert.equal(second, undefined, described);
            else assert.equal(second?.status, 200, described);
          }),
        ),
      );
      await Promise.all(asked);
    });
  }

  it('a body that “100 Continue” has not called for is not waited for, and the answer closes the connection', async () => {
    const expecting = ['Content-Length: 20', 'Expect: 100-continue', json];
    const replies = await sendRaw(stage.url, head('POST /nowhere', expecting) + next(), { replies: 2 });
    assert.equal(describeReplies(replies), '404 close');
  });

  it('the body of a GET is read and means nothing; a large one is refused', async () => {
    const ask = async (bytes: number) => {
      const asked = head('GET /livez', [`Content-Length: ${bytes}`]) + ' '.repeat(bytes) + next();
      return describeReplies(await sendRaw(stage.url, asked, { replies: 2 }));
    };
    assert.equal(await ask(16 * kib), '200 keep-alive, 200 keep-alive');
    // Whether the rest arrives in time is up to the machine.
    assert.match(await ask(100 * kib), /^413 (keep-alive, 200 keep-alive|close)$/);
    assert.equal(await ask(1500 * kib), '413 close');
  });

  it('a broken frame after the refusal does not take the place of its answer', async () => {
    const chunked = head('POST /nowhere', ['Transfer-Encoding: chunked']);
    for (const options of [{}, { goOn: async (socket: Socket) => void socket.write('zz\r\n') }]) {
      const bytes = 'goOn' in options ? chunked : `${chunked}zz\r\n`;
      const replies = await sendRaw(stage.url, bytes + next(), { replies: 2, ...options });
      assert.equal(describeReplies(replies), '404 close');
    }
  });

  it('a request that follows an answer which closes the connection has no effect', async (context) => {
    const body = ' '.repeat(2000);
    const refused = head('POST /nowhere', [`Content-Length: ${body.length}`]);
    const deleted = head('DELETE /api/auth/me', [`Authorization: Bearer ${(await signIn(stage.url, newPhone())).JWT}`]);
    const seen: string[] = [];
    const note = (message: unknown) => seen.push((message as { request: { method: string } }).request.method);
    subscribe('gatehouse.answer', note);
    context.after(() => unsubscribe('gatehouse.answer', note));
    const replies = await sendRaw(stage.url, refused, {
      replies: 2,
      goOn: async (socket: Socket) => {
        await once(socket, 'data');
        socket.write(body + deleted);
      },
    });
    assert.equal(describeReplies(replies), '404 close');
    assert.ok(!seen.includes('DELETE'), seen.join());
  });
});

function head(line: string, headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '\r\n'].join('\r\n');
}

function inChunks(content: string): string {
  const chunks: string[] = [];
  for (let at = 0; at < content.length; at += chunkBytes) {
    const chunk = content.slice(at, at + chunkBytes);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return `${chunks.join('')}0\r\n\r\n`;
}

function describeReplies(replies: readonly RawReply[]): string {
  return replies.map(({ status, headers }) => `${status} ${headers.connection}`).join(', ') || 'no answer';
}
