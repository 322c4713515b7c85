// Texts as programs write them, in each request form: stored as they are, with their charset, and served with it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { call, newPhone, signIn } from '../../helpers/requests/api.ts';
import { type Form, upload } from '../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';

const forms: readonly Form[] = ['multipart', 'raw', 'json'];
const german = Buffer.from('name;city\nM\xfcller;K\xf6ln\n', 'latin1');
const japanese = Buffer.from('96bc914f2c8f5a8f8a0d0a', 'hex');
const russian = Buffer.from('c8ecff3bc3eef0eee40d0a', 'hex');
const unicodeText = Buffer.from('\ufeffname\tcity\r\nMüller\tKöln\r\n', 'utf16le');

for (const kind of tierStoreKinds) {
  describe(`texts over HTTP on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: 'off' });
    let token: string;
    before(async () => {
      token = (await signIn(stage.url, newPhone())).JWT;
    });

    for (const [what, bytes, name, type, served] of [
      ['a German CSV', german, 'a.csv', 'text/csv', 'text/csv; charset=windows-1252'],
      ['a German CSV from Windows', german, 'a.csv', 'application/vnd.ms-excel', 'text/csv; charset=windows-1252'],
      ['a German CSV from curl', german, 'a.csv', 'application/octet-stream', 'text/csv; charset=windows-1252'],
      ['a declared charset', german, 'a.csv', 'text/csv; charset=iso-8859-15', 'text/csv; charset=iso-8859-15'],
      ['a wrong charset', german, 'a.csv', 'text/csv; charset=utf-8', 'text/csv; charset=windows-1252'],
      ['a dangerous charset', german, 'a.csv', 'text/csv; charset=utf-7', 'text/csv; charset=windows-1252'],
      ['a Japanese CSV', japanese, 'a.csv', 'text/csv; charset="Shift_JIS"', 'text/csv; charset=shift_jis'],
      ['a Russian CSV', russian, 'a.csv', 'text/csv;charset=windows-1251', 'text/csv; charset=windows-1251'],
      ['a Russian CSV without a charset', russian, 'a.csv', 'text/csv', 'text/csv; charset=windows-1252'],
      ['Unicode text of Excel', unicodeText, 'a.txt', 'text/plain', 'text/plain; charset=utf-16le'],
      ['UTF-8', Buffer.from('é'), 'a.txt', 'application/octet-stream', 'text/plain; charset=utf-8'],
    ] as const) {
      it(`a text is stored and served with its charset in every request form: ${what}`, async () => {
        for (const form of forms) {
          const reply = await upload(stage.url, {
            form,
            bytes,
            name,
            type,
            purpose: 'document',
            token,
          });
          assert.equal(reply.status, 201, `${form}: ${reply.body.message}`);
          const [essence, charset] = served.split('; charset=');
          const { id, ...record } = reply.body.data;
          assert.deepEqual([record.type, record.charset, record.name], [essence, charset, name], form);
          const found = await call(stage.url, 'GET', `/api/file/${id}`, { token });
          assert.equal(found.body.data.charset, charset);
          const got = await fetch(`${stage.url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
          assert.equal(got.headers.get('content-type'), served);
          assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
          assert.deepEqual(Buffer.from(await got.arrayBuffer()), bytes);
        }
      });
    }

    it('several ranges of a text each name its charset', async () => {
      const reply = await upload(stage.url, { bytes: german, type: 'text/csv', purpose: 'document', token });
      const headers = { authorization: `Bearer ${token}`, range: 'bytes=0-3,8-9' };
      const text = await (await fetch(`${stage.url}/file/${reply.body.data.id}`, { headers })).text();
      assert.equal(text.match(/content-type: text\/csv; charset=windows-1252/g)?.length, 2);
    });

    for (const [what, bytes, type, answer, message] of [
      ['bytes declared as text', Buffer.from([1, 2, 0]), 'text/plain', '422 FILE_TYPE_MISMATCH', /not text/],
      ['a page declared as text', Buffer.from('<html>'), 'text/plain', '422 FILE_TYPE_MISMATCH', /markup/],
      ['a page', Buffer.from('<html>'), 'application/octet-stream', '415 FILE_TYPE_NOT_ALLOWED', /markup/],
      ['a page in UTF-16', Buffer.from('\ufeffa <script>', 'utf16le'), '', '415 FILE_TYPE_NOT_ALLOWED', /markup/],
    ] as const) {
      it(`the refusal of ${what} names the rule in every request form`, async () => {
        for (const form of forms) {
          const { status, body } = await upload(stage.url, {
            form,
            bytes,
            type,
            purpose: 'document',
            token,
          });
          assert.equal(`${status} ${body.codeError}`, answer, form);
          assert.match(body.message, message, form);
        }
      });
    }
  });
}
