// Broken uploads: cut short, badly framed, too large, refused early. Each gets a readable answer and leaves nothing behind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call, newPhone, readEnvelope, signIn } from '../../helpers/requests/api.ts';
import { sendRaw } from '../../helpers/requests/raw-request.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { pngFile } from '../../helpers/uploads/sample-files.ts';

describe('broken uploads', () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let dataDir: string;
  let token: string;
  before(async () => {
    const isolated = await isolatedEnv('sqlite', { LIMIT_UPLOADS_PER_USER: 'off' });
    dispose = isolated.dispose;
    dataDir = isolated.env.DATA_DIR ?? '';
    service = await startGatehouse(isolated.env);
    token = (await signIn(service.url, newPhone())).JWT;
  });
  after(async () => {
    try {
      const { body } = await call(service.url, 'GET', '/api/file/purposes', { token });
      assert.equal(body.data.quota.usedFiles, stored, 'only stored files count');
      assert.deepEqual(readdirSync(join(dataDir, 'files', 'spool')), [], 'no spool is left behind');
    } finally {
      await service.stop();
      await dispose();
    }
  });
  let stored = 0;

  const head = (headers: string, query = '?purpose=image') =>
    `POST /api/file/upload${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n\r\n`;
  const codeOf = async (bytes: string | Buffer, options = {}) => {
    const [reply] = await sendRaw(service.url, bytes, options);
    return `${reply?.status} ${readEnvelope(reply?.body ?? '').codeError}`;
  };
  const part = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

  for (const [name, headers, body] of [
    ['a raw body', 'Content-Type: image/png\r\nContent-Length: 1000', 'abc'],
    ['a chunked body', 'Content-Type: image/png\r\nTransfer-Encoding: chunked', '5\r\nhello\r\n'],
    ['a multipart body', 'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000', `${part}abc`],
    ['a JSON body', 'Content-Type: application/json\r\nContent-Length: 1000', '{"purpose":"image","content":"'],
  ] as const) {
    it(`an upload is refused as incomplete when ${name} is cut short`, async () => {
      assert.equal(await codeOf(head(headers) + body, { halfClose: true }), '400 FILE_INCOMPLETE');
    });
  }

  it('a form upload without an end, a boundary or any part is refused as malformed', async () => {
    const type = 'Content-Type: multipart/form-data; boundary=B\r\nContent-Length';
    const cut = `${part}${'x'.repeat(40)}`;
    assert.equal(await codeOf(head(`${type}: ${cut.length}`) + cut), '400 FILE_MALFORMED');
    assert.equal(await codeOf(`${head(`${type}: 7`)}nothing`), '400 FILE_MALFORMED');
    assert.equal(
      await codeOf(`${head('Content-Type: multipart/form-data\r\nContent-Length: 3')}abc`),
      '400 FILE_MALFORMED',
    );
  });

  it('a form upload with part headers that never end is refused as malformed', async () => {
    const body = `--B\r\nContent-Disposition: form-data; name="purpose"\r\n\fimage\r\n${part}abc\r\n--B--\r\n`;
    const headers = `Content-Type: multipart/form-data; boundary=B\r\nContent-Length: ${body.length}`;
    assert.equal(await codeOf(head(headers) + body), '400 FILE_MALFORMED');
  });

  it('a form part without a type gets the type its bytes prove, and only the part named file is stored', async () => {
    const form = (field: string) => {
      const first = part.replace('name="file"', `name="${field}"`);
      const body = Buffer.concat([Buffer.from(first), pngFile(), Buffer.from('\r\n--B--\r\n')]);
      const headers = `Content-Type: multipart/form-data; boundary=B\r\nContent-Length: ${body.length}`;
      return Buffer.concat([Buffer.from(head(headers)), body]);
    };
    assert.equal(await codeOf(form('file')), '201 null');
    stored += 1;
    assert.equal(await codeOf(form('picture')), '400 FILE_MISSING');
  });

  it('a forbidden type is refused as not allowed if declared truthfully, and as a mismatch otherwise', async () => {
    const sendBody = (body: string, type: string, purpose: string) =>
      codeOf(`${head(`Content-Type: ${type}\r\nContent-Length: ${body.length}`, `?purpose=${purpose}`)}${body}`);
    const page = '<html><body>hello</body></html>';
    assert.equal(
      await sendBody('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'image'),
      '415 FILE_TYPE_NOT_ALLOWED',
    );
    assert.equal(await sendBody(page, 'text/html', 'document'), '415 FILE_TYPE_NOT_ALLOWED');
    assert.equal(await sendBody('MZ\x90\x00', 'application/x-msdownload', 'document'), '415 FILE_TYPE_NOT_ALLOWED');
    assert.equal(await sendBody(page, 'image/png', 'image'), '422 FILE_TYPE_MISMATCH');
  });

  it('an upload that cannot succeed is refused before its body, without a 100 Continue', async () => {
    const expect = 'Expect: 100-continue\r\nContent-Type: image/png\r\nContent-Length';
    for (const [bytes, code] of [
      [head(`${expect}: 99999999`), '413 FILE_TOO_LARGE'],
      [head(`${expect}: 10`, ''), '400 FILE_PURPOSE_REQUIRED'],
      [head(`${expect}: 10`, '?purpose=holiday'), '422 FILE_PURPOSE_UNKNOWN'],
      [head(`${expect}: 10`).replace(/Authorization.*\r\n/, ''), '401 ACCESS_TOKEN_MISSING'],
      [
        head('Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 99999999'),
        '413 FILE_TOO_LARGE',
      ],
    ] as const) {
      const [reply] = await sendRaw(service.url, bytes);
      assert.deepEqual(reply?.interim, [], code);
      assert.equal(`${reply?.status} ${readEnvelope(reply?.body ?? '').codeError}`, code);
    }
  });

  it('a JSON upload is refused with what is wrong: too long, another charset, or no file', async () => {
    const sendBody = (body: string, type = 'application/json') =>
      codeOf(`${head(`Content-Type: ${type}\r\nContent-Length: ${body.length}`)}${body}`);
    assert.equal(await sendBody(`{"name":"${'n'.repeat(2 ** 20)}"}`), '400 REQUEST_INVALID');
    assert.equal(await sendBody(`{"name":"${'n'.repeat(14 * 2 ** 20)}"}`), '413 FILE_TOO_LARGE');
    assert.equal(await sendBody(`{"content":"${'A'.repeat(1_400_000)}"}`), '413 FILE_TOO_LARGE');
    assert.equal(await sendBody(`{"content":"${'A'.repeat(16 * 2 ** 20)}"}`), '413 FILE_TOO_LARGE');
    assert.equal(await sendBody('['.repeat(2 ** 20)), '400 JSON_INVALID');
    assert.equal(await sendBody('{"content":"QUJD"'), '400 JSON_INVALID');
    assert.equal(await sendBody('{"content":"QU JD"}'), '400 REQUEST_INVALID');
    assert.equal(await sendBody('{"name":"a.png"}'), '400 FILE_MISSING');
    assert.equal(await sendBody('{"content":""}'), '400 FILE_EMPTY');
    assert.equal(
      await sendBody('{"content":"QUJD"}', 'application/json; charset=latin1'),
      '415 MEDIA_TYPE_UNSUPPORTED',
    );
  });

  it('a client that keeps sending can read the refusal of its upload and is then cut off', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    let isReset = false;
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', () => {
      isReset = answer === '';
    });
    socket.write(head('Content-Type: image/png\r\nContent-Length: 314572800'));
    const piece = Buffer.alloc(64 * 1024);
    const timer = setInterval(() => socket.writable && socket.write(piece), 1);
    await once(socket, 'close');
    clearInterval(timer);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /FILE_TOO_LARGE/);
    assert.equal(isReset, false);
    assert.ok(socket.bytesWritten < 64 * 1024 * 1024, `${socket.bytesWritten} bytes were taken in`);
  });

  it('an endless form upload is refused, also in unknown parts and before the first part', async () => {
    const type = 'Content-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked';
    const piece = Buffer.alloc(2 ** 20, 'x');
    const other = '--B\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n';
    for (const begin of [part, other, 'before the first part']) {
      let sent = 0;
      const goOn = async (socket: Socket, signal: AbortSignal) => {
        socket.write(`${begin.length.toString(16)}\r\n${begin}\r\n`);
        for (; !signal.aborted && sent < 100; sent++) {
          socket.write(`${piece.length.toString(16)}\r\n`);
          socket.write(piece);
          if (!socket.write('\r\n')) await once(socket, 'drain', { signal });
        }
      };
      assert.equal(await codeOf(head(type, '?purpose=avatar'), { goOn }), '413 FILE_TOO_LARGE', begin);
      assert.ok(sent < 50, `${sent} MiB were taken in`);
    }
  });

  it('an upload whose client sends a table row by row, faster than it is read, is stored', async () => {
    const row = 'Ann;Berlin;1,234.56;2026-11-18\r\n';
    const rows = `${row.length.toString(16)}\r\n${row}\r\n`.repeat(10_000);
    const type = 'Content-Type: text/csv\r\nTransfer-Encoding: chunked';
    assert.equal(await codeOf(`${head(type, '?purpose=document')}${rows}0\r\n\r\n`), '201 null');
    stored += 1;
  });

  it('an upload whose chunks have long extensions is refused as malformed', async () => {
    const chunk = `a;x=${'y'.repeat(15_000)}\r\n0123456789\r\n`;
    const type = 'Content-Type: text/plain\r\nTransfer-Encoding: chunked';
    assert.equal(await codeOf(`${head(type, '?purpose=document')}${chunk.repeat(60)}`), '400 FILE_MALFORMED');
  });

  it('an upload with an invalid content type is stored', async () => {
    const png = pngFile();
    const bytes = Buffer.concat([Buffer.from(head(`Content-Type: garbage\r\nContent-Length: ${png.length}`)), png]);
    assert.equal(await codeOf(bytes), '201 null');
    stored += 1;
  });

  for (const id of ['%zz', 'fil_%C0%AF', 'a'.repeat(300), 'fil_%00', '%2e%2e%2f']) {
    it(`GET /file/${id.slice(0, 20)} answers 404 with a token and 401 without`, async () => {
      const line = `GET /file/${id} HTTP/1.1\r\nHost: x\r\n`;
      assert.equal(await codeOf(`${line}Authorization: Bearer ${token}\r\n\r\n`), '404 FILE_NOT_FOUND');
      assert.equal(await codeOf(`${line}\r\n`), '401 ACCESS_TOKEN_MISSING');
    });
  }
});
