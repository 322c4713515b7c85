// GET and HEAD /file/{id}, the record, the list and deletion: who may read, ranges, conditionals, inert headers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, newPhone, readEnvelope, signIn } from '../../../helpers/requests/api.ts';
import { storeFile } from '../../../helpers/requests/upload.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../../helpers/services/gatehouse.ts';
import { pngFile, textFile } from '../../../helpers/uploads/sample-files.ts';

describe('a stored file', () => {
  let gatehouse: Gatehouse;
  let dispose: () => Promise<void>;
  let owner: string;
  let stranger: string;
  let id: string;
  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    gatehouse = await startGatehouse(isolated.env);
    owner = (await signIn(gatehouse.url, newPhone())).JWT;
    stranger = (await signIn(gatehouse.url, newPhone())).JWT;
    id = await store(textFile, 'document', 'Grüße "1".csv', 'text/csv');
  });
  after(async () => {
    await gatehouse.stop();
    await dispose();
  });

  async function store(bytes: Buffer, purpose: string, name: string, type: string): Promise<string> {
    return (await storeFile(gatehouse.url, { token: owner, purpose, name, type, bytes })).id;
  }
  const get = (path: string, headers: Record<string, string> = {}, token: string | null = owner, method = 'GET') =>
    fetch(`${gatehouse.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    });

  it('a stored file is served byte for byte, with headers that keep it inert', async () => {
    const response = await get(`/file/${id}`);
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), textFile);
    const headers = Object.fromEntries(response.headers);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(headers['content-length'], String(textFile.length));
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none';.*sandbox( allow-same-origin)?$/);
    assert.equal(headers['cross-origin-resource-policy'], 'same-site');
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(headers['repr-digest'] ?? '', /^sha-256=:[A-Za-z0-9+/]{43}=:$/);
    assert.match(
      headers['content-disposition'] ?? '',
      /^attachment; filename="[^"]*"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%201\.csv$/,
    );
  });

  it('HEAD on a stored file has the same headers as GET and no body', async () => {
    const [full, head] = [await get(`/file/${id}`), await get(`/file/${id}`, {}, owner, 'HEAD')];
    const clean = (response: Response) => {
      const {
        date: _d,
        'x-request-id': _i,
        connection: _c,
        'keep-alive': _k,
        ...rest
      } = Object.fromEntries(response.headers);
      return rest;
    };
    assert.deepEqual(clean(head), clean(full));
    assert.equal((await head.arrayBuffer()).byteLength, 0);
  });

  it('a stored file can be read with a token cookie', async () => {
    const response = await get(`/file/${id}`, { cookie: `JWT=${owner}` }, null);
    assert.equal(response.status, 200);
  });

  it('unknown, malformed, foreign and deleted files get the same 404 answer', async () => {
    const gone = await store(pngFile(), 'image', 'x.png', 'image/png');
    assert.equal((await call(gatehouse.url, 'DELETE', `/api/file/${gone}`, { token: owner })).status, 200);
    const answers = await Promise.all(
      [id, 'fil_AAAAAAAAAAAAAAAAAAAAAA', 'nonsense', '..%2f..%2fetc', 'fil_%00', gone].map(async (name) => {
        const response = await get(`/file/${name}`, {}, stranger);
        const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, headers, body: await response.text() };
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 404);
    assert.equal(readEnvelope(answers[0]?.body ?? '').codeError, 'FILE_NOT_FOUND');
    assert.equal((await get(`/file/${id}`, {}, null)).status, 401);
  });

  it('conditional and range requests reveal nothing about a foreign file', async () => {
    const etag = (await get(`/file/${id}`)).headers.get('etag') ?? '';
    for (const [name, value] of [
      ['if-none-match', etag],
      ['if-none-match', '*'],
      ['if-match', '"other"'],
      ['if-unmodified-since', new Date(0).toUTCString()],
      ['if-modified-since', new Date().toUTCString()],
      ['range', 'bytes=999999-'],
    ] as const) {
      assert.equal((await get(`/file/${id}`, { [name]: value }, stranger)).status, 404, name);
      assert.notEqual((await get(`/file/${id}`, { [name]: value })).status, 404, name);
    }
  });

  it('a file is readable by any signed-in user if its purpose says so, and only its owner can delete it', async () => {
    const avatar = await store(pngFile(), 'avatar', 'me.png', 'image/png');
    const response = await get(`/file/${avatar}`, {}, stranger);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-disposition') ?? '', /^inline/);
    assert.match((await get(`/file/${avatar}?download=1`)).headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(
      (await call(gatehouse.url, 'DELETE', `/api/file/${avatar}`, { token: stranger })).body.codeError,
      'FILE_NOT_FOUND',
    );
  });

  const size = textFile.length;
  for (const [range, status, contentRange, expected] of [
    ['bytes=5-', 206, `bytes 5-${size - 1}/${size}`, textFile.subarray(5)],
    ['bytes=abc', 200, null, textFile],
    ['bytes=0-1,2-3', 206, `bytes 0-3/${size}`, textFile.subarray(0, 4)],
  ] as const) {
    it(`a stored file answers the range ${range.slice(0, 30)}`, async () => {
      const response = await get(`/file/${id}`, { range });
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-range'), contentRange);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), expected);
    });
  }

  it('several ranges of a stored file are answered as parts', async () => {
    const response = await get(`/file/${id}`, { range: 'bytes=0-1,10-11' });
    assert.equal(response.status, 206);
    const boundary = /boundary=([\w-]+)/.exec(response.headers.get('content-type') ?? '')?.[1];
    const text = await response.text();
    assert.equal(Number(response.headers.get('content-length')), Buffer.byteLength(text));
    const parts = text.split(`--${boundary}`).map((part) => part.split('\r\n\r\n')[1]?.replace(/\r\n$/, ''));
    assert.deepEqual(
      parts.filter((part) => part !== undefined && part !== ''),
      ['na', textFile.subarray(10, 12).toString()],
    );
  });

  it('a range outside the file is refused with 416 and the size', async () => {
    const response = await get(`/file/${id}`, { range: 'bytes=9999-' });
    assert.equal(response.status, 416);
    assert.equal(response.headers.get('content-range'), `bytes */${size}`);
    assert.equal(readEnvelope(await response.text()).codeError, 'RANGE_NOT_SATISFIABLE');
  });

  it('a stored file honours conditional requests', async () => {
    const first = await get(`/file/${id}`);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    assert.match(etag, /^"[A-Za-z0-9_-]{43}"$/);
    assert.equal((await get(`/file/${id}`, { 'if-none-match': etag })).status, 304);
    assert.equal((await get(`/file/${id}`, { 'if-modified-since': modified })).status, 304);
    assert.equal((await get(`/file/${id}`, { 'if-match': '"x"' })).status, 412);
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    assert.equal((await get(`/file/${id}`, { 'if-unmodified-since': earlier })).status, 412);
    assert.equal((await get(`/file/${id}`, { range: 'bytes=0-0', 'if-range': etag })).status, 206);
    assert.equal((await get(`/file/${id}`, { range: 'bytes=0-0', 'if-range': '"x"' })).status, 200);
    assert.equal((await get(`/file/${id}`, { 'if-none-match': etag }, stranger)).status, 404);
  });

  it('files are listed newest first and page by page', async () => {
    await store(pngFile(), 'image', 'new.png', 'image/png');
    const { body } = await call(gatehouse.url, 'GET', '/api/file?limit=2', { token: owner });
    assert.equal(body.data?.files.length, 2, body.message);
    const next = await call(gatehouse.url, 'GET', `/api/file?limit=100&cursor=${body.data.next}`, { token: owner });
    const ids = [...body.data.files, ...next.body.data.files].map((file: { id: string }) => file.id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.at(-1), id);
    assert.equal(next.body.data.next, null);
    const record = await call(gatehouse.url, 'GET', `/api/file/${id}`, { token: owner });
    assert.equal(record.body.data.name, 'Grüße 1.csv');
    assert.equal(
      (await call(gatehouse.url, 'GET', '/api/file?cursor=junk', { token: owner })).body.codeError,
      'REQUEST_INVALID',
    );
    assert.equal(
      (await call(gatehouse.url, 'GET', '/api/file?limit=0', { token: owner })).body.codeError,
      'REQUEST_INVALID',
    );
  });

  it('a file is deleted with the account of its owner', async () => {
    const user = (await signIn(gatehouse.url, newPhone())).JWT;
    const stored = await storeFile(gatehouse.url, { token: user, purpose: 'document', bytes: textFile });
    assert.equal((await call(gatehouse.url, 'DELETE', '/api/auth/me', { token: user })).status, 200);
    const deps = gatehouse.service.store;
    assert.equal(await deps.call('files.findRecord', stored.id), undefined);
  });
});
