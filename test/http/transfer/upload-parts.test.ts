// The form of an upload by its content type, a raw body as one part, and the limit that a JSON upload tells.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formOf, jsonBodyBytes, jsonTooLarge, rawParts } from '../../../src/http/transfer/upload-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';

describe('the form of an upload', () => {
  for (const [type, form] of [
    [undefined, 'raw'],
    ['', 'raw'],
    ['image/png', 'raw'],
    ['multipart/form-data', 'multipart'],
    ['Multipart/Form-Data; boundary=x', 'multipart'],
    [' multipart/form-data ;boundary=x', 'multipart'],
    ['multipart/mixed', 'raw'],
    ['multipart/form-data-x', 'raw'],
    ['application/json', 'json'],
    ['APPLICATION/JSON; charset=utf-8', 'json'],
    ['application/json-patch+json', 'raw'],
    ['text/json', 'raw'],
    ['x; application/json', 'raw'],
  ] as const) {
    it(`an upload of the type ${JSON.stringify(type)} is ${form}`, () => assert.equal(formOf(type), form));
  }
});

describe('a raw upload', () => {
  it('a raw upload is one file with the type of its header and its bytes', async () => {
    const chunks = async function* () {
      yield Buffer.from('ab');
      yield Buffer.from('c');
    };
    const request = requestOf(chunks(), { headers: { 'content-type': 'image/png' } });
    const bound = { bytes: 100, refusal: new Failure('FILE_TOO_LARGE', { limit: '1 KiB' }) };
    const parts = await Array.fromAsync(rawParts(request, 'a.png', bound));
    const [part = assert.fail('no part')] = parts;
    assert.ok(part.kind === 'file' && parts.length === 1);
    assert.deepEqual([part.name, part.type], ['a.png', 'image/png']);
    assert.equal(Buffer.concat(await Array.fromAsync(part.bytes)).toString(), 'abc');
  });
});

describe('the size of a JSON upload', () => {
  it('a JSON body has room for a file of 1 MiB in base64 with every slash escaped, and 64 KiB beside it', () => {
    const base64 = Buffer.alloc(2 ** 20)
      .toString('base64')
      .replaceAll('=', '').length;
    assert.equal(jsonBodyBytes, 2 * base64 + 64 * 1024);
  });

  it('the limit names both forms', () => {
    const { code, detail } = jsonTooLarge(20 * 2 ** 20);
    assert.deepEqual(
      [code, detail],
      ['FILE_TOO_LARGE', { limit: '1 MiB (application/json), 20 MiB (multipart/form-data)' }],
    );
  });
});
