// Links and named readers over HTTP: who opens what, every bad link answered alike, uses counted, a page for people, bytes for programs.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { builtInPurposes } from '../../../../../src/files/purpose.ts';
import { newFileId } from '../../../../../src/files/stored-file.ts';
import { newId, randomText } from '../../../../../src/kernel/crypto/random.ts';
import { asFileId, asUserId } from '../../../../helpers/people/ids.ts';
import { call, newPhone, signIn } from '../../../../helpers/requests/api.ts';
import { storeFile } from '../../../../helpers/requests/upload.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { pngFile as makePng, textFile } from '../../../../helpers/uploads/sample-files.ts';

const pngFile = makePng();
const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-sharing-')), 'purposes.json');
const secretive = {
  ...builtInPurposes.find(({ name }) => name === 'document'),
  name: 'private',
  links: false,
  readableBy: 'owner',
};
writeFileSync(file, JSON.stringify([...builtInPurposes, secretive]));

describe('sharing a file', () => {
  const stage = setStage('sqlite', { PURPOSES_FILE: file });
  let owner: { JWT: string; id: string };
  let reader: { JWT: string; id: string };
  let picture: string;

  const enter = async () => {
    const { JWT } = await signIn(stage.url, newPhone());
    return { JWT, id: (await call(stage.url, 'GET', '/api/auth/me', { token: JWT })).body.data.id };
  };
  before(async () => {
    [owner, reader] = [await enter(), await enter()];
    picture = await store(pngFile, 'image', 'image/png');
  });

  async function store(bytes: Buffer, purpose: string, type: string): Promise<string> {
    return (await storeFile(stage.url, { token: owner.JWT, purpose, name: 'A name', type, bytes })).id;
  }
  const ask = (method: string, path: string, body?: unknown, token = owner.JWT) =>
    call(stage.url, method, `/api/file/${path}`, { token, ...(body !== undefined && { body }) });
  /** The path of the link: its URL without the origin. */
  const share = async (id: string, body: object = {}): Promise<string> => {
    const { status, body: answer } = await ask('POST', `${id}/links`, body);
    assert.equal(status, 201, JSON.stringify(answer));
    const { pathname, search, origin } = new URL(answer.data.url);
    assert.equal(origin, `http://localhost:${stage.env.PORT}`);
    return `${pathname}${search}`;
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${stage.url}${path}`, { method, headers, redirect: 'manual' });
  const asPerson = { 'sec-fetch-dest': 'document', accept: 'text/html' };

  it('a link opens the file for whoever has it, inert, private and unseen by search engines', async () => {
    const response = await get(await share(picture));
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pngFile);
    const headers = Object.fromEntries(response.headers);
    assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none';.*sandbox$/);
    assert.match(headers.vary ?? '', /^Sec-Fetch-Dest, Accept, User-Agent, /);
  });

  it('a link answers HEAD, ranges, conditional requests, variants and downloads, and never redirects', async () => {
    const link = await share(picture);
    const head = await get(`${link}&redirect=1`, { cookie: `JWT=${owner.JWT}` }, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(pngFile.length)]);
    const part = await get(link, { range: 'bytes=1-3' });
    assert.deepEqual([part.status, await part.text()], [206, pngFile.subarray(1, 4).toString('latin1')]);
    const etag = head.headers.get('etag') ?? '';
    assert.equal((await get(link, { 'if-none-match': etag })).status, 304);
    assert.equal((await get(link, { 'if-match': '"other"' })).status, 412);
    assert.equal((await get(link, { range: `bytes=${pngFile.length}-` })).status, 416);
    const variant = await get(`${link}&variant=thumb`);
    assert.deepEqual([variant.status, variant.headers.get('content-type')], [200, 'image/webp']);
    assert.equal(variant.headers.get('x-robots-tag'), 'noindex, nofollow');
    const saved = await get(`${link}&download=1`, asPerson);
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment;/);
    assert.deepEqual(Buffer.from(await saved.arrayBuffer()), pngFile);
  });

  it('a forged, altered, expired, used-up, revoked, foreign or deleted link, and one without a file, are answered alike', async () => {
    const bad: Record<string, string> = {};
    const good = await share(picture);
    const token = good.slice(-51);
    const other = await store(textFile, 'document', 'text/csv');
    bad.forged = `/file/${picture}?l=${randomText(38)}`;
    bad.altered = good.slice(0, -4) + (good.at(-4) === 'A' ? 'B' : 'A') + good.slice(-3);
    bad.foreign = `/file/${other}?l=${token}`;
    bad['of an unknown file'] = `/file/${newFileId()}?l=${token}`;
    bad['of no file'] = `/file/x?l=${token}`;
    bad.short = `/file/${picture}?l=${token.slice(1)}`;
    bad.empty = `/file/${picture}?l=`;
    bad['used up'] = await share(picture, { uses: 1 });
    await (await get(bad['used up'])).arrayBuffer();
    bad.expired = await share(picture, { expiresIn: 60 });
    bad.deleted = await share(other);
    await ask('DELETE', other);
    const one = await ask('POST', `${picture}/links`, {});
    bad.revoked = new URL(one.body.data.url).pathname + new URL(one.body.data.url).search;
    assert.equal((await ask('DELETE', `${picture}/links/${one.body.data.id}`)).body.codeError, null);
    stage.clock.advance(60);
    const seen = new Map<string, string[]>();
    for (const [what, path] of Object.entries(bad)) {
      for (const headers of [{}, { authorization: `Bearer ${owner.JWT}` }, asPerson]) {
        const response = await get(path, headers as Record<string, string>);
        const fields = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
        const kind = 'sec-fetch-dest' in headers ? 'page' : 'envelope';
        const answer = JSON.stringify([kind, response.status, fields, await response.text()]);
        seen.set(answer, [...(seen.get(answer) ?? []), what]);
      }
    }
    assert.deepEqual(
      [...seen.keys()].map((answer) => JSON.parse(answer).slice(0, 2)),
      [
        ['envelope', 404],
        ['page', 404],
      ],
    );
    assert.match([...seen.keys()][0] ?? '', /FILE_NOT_FOUND/);
    assert.equal((await get(good)).status, 200);
  });

  it('a person gets a page with the download, also without JavaScript, and the address of the page stays private', async () => {
    const link = await share(picture);
    const response = await get(link, asPerson);
    const page = await response.text();
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('x-robots-tag'), 'noindex, nofollow');
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /script-src 'self';.*img-src 'self' data: blob:; media-src 'self';/,
    );
    const inHtml = link.replaceAll('&', '&amp;');
    assert.ok(page.includes(`href="${inHtml}&amp;download=1"`), page);
    const facts = JSON.parse(
      (/id="facts" content="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );
    const { expiresAt, ...shown } = facts.sharedFile;
    assert.deepEqual(shown, {
      name: 'A name.png',
      size: pngFile.length,
      type: 'image/png',
      usesLeft: null,
      downloadUrl: `${link}&download=1`,
      previewUrl: `${link}&variant=preview`,
    });
    assert.ok(Date.parse(expiresAt) > stage.clock.now());
    const preview = await get(shown.previewUrl, { 'sec-fetch-dest': 'image' });
    assert.equal(preview.headers.get('content-type'), 'image/webp');
  });

  it('each download counts a use, but neither the page nor HEAD nor an answer without bytes does', async () => {
    const link = await share(picture, { uses: 2 });
    const used = async () => {
      const { links } = (await ask('GET', `${picture}/links`)).body.data;
      return links.find(({ uses }: { uses: number | null }) => uses === 2).used;
    };
    const page = await (await get(link, asPerson)).text();
    assert.match(page, /usesLeft&quot;:2,/);
    assert.match(page, /previewUrl&quot;:null/);
    assert.equal(await (await get(link, { 'user-agent': 'WhatsApp/2.23.20.0 A' })).text(), page);
    for (const more of ['', '&download=1', '&variant=thumb'])
      for (const ahead of [{ 'user-agent': 'Mattermost-Bot/1.1' }, { 'sec-purpose': 'prefetch' }] as const)
        assert.equal(await (await get(`${link}${more}`, ahead)).text(), page, more);
    const { headers } = await get(link, {}, 'HEAD');
    await get(link, { 'if-none-match': headers.get('etag') ?? '' });
    await get(link, { range: 'bytes=999999999-' });
    assert.equal(await used(), 0);
    assert.equal((await get(`${link}&variant=thumb`)).status, 200);
    assert.equal(await used(), 1);
    assert.equal((await get(link)).status, 200);
    for (const method of ['GET', 'HEAD']) assert.equal((await get(link, {}, method)).status, 404);
  });

  it('links are listed without their token, and revoked one by one or all at once', async () => {
    const id = await store(textFile, 'document', 'text/csv');
    const [first, second] = [await share(id, { uses: 3 }), await share(id, { expiresIn: 2_592_000 })];
    const { links } = (await ask('GET', `${id}/links`)).body.data;
    assert.deepEqual(
      new Set(links.map(({ uses, used }: { uses: number; used: number }) => `${used} of ${uses}`)),
      new Set(['0 of 3', '0 of null']),
    );
    assert.ok(!JSON.stringify(links).includes(first.slice(-51)));
    assert.equal((await ask('DELETE', `${id}/links/unknown`)).body.codeError, 'FILE_NOT_FOUND');
    assert.equal((await ask('DELETE', `${id}/links`)).status, 200);
    for (const link of [first, second]) assert.equal((await get(link)).status, 404);
    assert.deepEqual((await ask('GET', `${id}/links`)).body.data, { links: [] });
    assert.equal((await get(await share(id))).status, 200);
  });

  it('nobody else can make, list or revoke links, or see or set readers', async () => {
    for (const [method, path, body] of [
      ['POST', 'links', {}],
      ['GET', 'links', undefined],
      ['DELETE', 'links', undefined],
      ['DELETE', 'links/x', undefined],
      ['PUT', 'readers', { users: [] }],
      ['GET', 'readers', undefined],
    ] as const)
      for (const id of [picture, newFileId(), 'x'])
        assert.equal((await ask(method, `${id}/${path}`, body, reader.JWT)).body.codeError, 'FILE_NOT_FOUND', path);
  });

  it('wrong wishes are refused with the field', async () => {
    for (const body of [
      { expiresIn: 59 },
      { expiresIn: 2_592_001 },
      { expiresIn: '60' },
      { uses: 0 },
      { uses: 1_000_001 },
      { uses: 1.5 },
    ])
      assert.equal(
        (await ask('POST', `${picture}/links`, body)).body.codeError,
        'REQUEST_INVALID',
        JSON.stringify(body),
      );
    for (const users of ['x', ['x'], [`${newId()}0`], Array.from({ length: 101 }, newId)])
      assert.equal((await ask('PUT', `${picture}/readers`, { users })).body.codeError, 'REQUEST_INVALID');
  });

  it('a purpose that does not allow it has neither links nor readers', async () => {
    const secret = await store(textFile, 'private', 'text/csv');
    const face = await store(pngFile, 'avatar', 'image/png');
    assert.equal((await ask('POST', `${secret}/links`, {})).body.codeError, 'SHARING_NOT_ALLOWED');
    for (const id of [secret, face])
      assert.equal((await ask('PUT', `${id}/readers`, { users: [] })).body.codeError, 'SHARING_NOT_ALLOWED');
  });

  it('a file with a hundred links gets no other', async () => {
    const id = asFileId(await store(textFile, 'document', 'text/csv'));
    const now = stage.clock.now();
    const wish = {
      fileId: id,
      userId: asUserId(owner.id),
      expiresAt: now + 60_000,
      uses: undefined,
      purposes: ['document'],
      now,
    };
    await Promise.all(
      Array.from({ length: 100 }, () =>
        stage.service.store.call('sharing.createLink', { ...wish, id: randomText(12) }),
      ),
    );
    assert.equal((await ask('POST', `${id}/links`, {})).body.codeError, 'FILE_LINKS_FULL');
  });

  it('named readers read the file, its record and its variants, and nobody else does', async () => {
    const statuses = async (token: string) => {
      const paths = [`/file/${picture}`, `/api/file/${picture}`, `/file/${picture}?variant=thumb`];
      return Promise.all(paths.map(async (path) => (await get(path, { authorization: `Bearer ${token}` })).status));
    };
    assert.deepEqual(await statuses(reader.JWT), [404, 404, 404]);
    const stranger = newId();
    const wished = [reader.id.toUpperCase(), stranger, reader.id, owner.id.toUpperCase()];
    const set = await ask('PUT', `${picture}/readers`, { users: wished });
    assert.deepEqual(set.body.data, { users: [reader.id, stranger].sort() });
    assert.deepEqual((await ask('GET', `${picture}/readers`)).body.data, set.body.data);
    assert.deepEqual(await statuses(reader.JWT), [200, 200, 200]);
    assert.deepEqual(await statuses((await enter()).JWT), [404, 404, 404]);
    assert.equal((await ask('DELETE', picture, undefined, reader.JWT)).body.codeError, 'FILE_NOT_FOUND');
    await ask('PUT', `${picture}/readers`, { users: [] });
    assert.deepEqual(await statuses(reader.JWT), [404, 404, 404]);
  });
});
