// Variants of real pictures, made by the real library: sizes, formats, access, failures, sharing of work, and their end.
import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { lossless, webp } from '../../../media/test/helpers/webp-builder.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { pngOf } from '../../helpers/browser/pictures.ts';
import { enter } from '../../helpers/people/users.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { type Stage, setStage, startTwoNodes } from '../../helpers/services/stage.ts';
import { textFile } from '../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const avif = { accept: 'image/avif,image/webp,*/*;q=0.8' };

async function store(url: string, token: string, bytes: Buffer, type: string, purpose = 'image'): Promise<string> {
  return (await storeFile(url, { token, purpose, name: 'picture', type, bytes })).id;
}

function get(url: string, token: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const all = { authorization: `Bearer ${token}`, ...headers };
  return fetch(`${url}/file/${path}`, { method, redirect: 'manual', headers: all });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** The files of variants on disk. */
function variantsIn({ env }: Pick<Stage, 'env'>, id: string): string[] {
  return globSync(`${env.DATA_DIR}/files/variants/*/${id}/*`);
}

/** Status, code and headers of a refusal, without what differs between any two answers. */
async function refusalOf(response: Response) {
  const { date: _d, 'x-request-id': _i, ...headers } = Object.fromEntries(response.headers);
  const { codeError, data, message } = readEnvelope(await response.text());
  return { status: response.status, codeError, data, message, headers };
}

describe('variants on disk', () => {
  const stage = setStage('sqlite', { TRASH_LIFE: '0' });
  let owner: string;
  before(async () => {
    owner = (await enter(stage.url)).JWT;
  });
  const send = (bytes: Buffer, type: string, purpose?: string) => store(stage.url, owner, bytes, type, purpose);
  const ask = (path: string, headers: Record<string, string> = {}, method?: string) =>
    get(stage.url, owner, path, headers, method);

  it('a variant has the size of its purpose, in the format that the client reads', async () => {
    const id = await send(pngOf(2000, 1000), 'image/png');
    for (const [name, headers, type, format, width, height] of [
      ['thumb', {}, 'image/webp', 'webp', 320, 320],
      ['thumb', { accept: 'image/*' }, 'image/webp', 'webp', 320, 320],
      ['thumb', avif, 'image/avif', 'heif', 320, 320],
      ['preview', {}, 'image/webp', 'webp', 1600, 800],
      ['preview', avif, 'image/avif', 'heif', 1600, 800],
    ] as const) {
      const response = await ask(`${id}?variant=${name}`, headers);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('vary'), 'Accept, Authorization, Cookie, Origin');
      const bytes = await bytesOf(response);
      assert.equal(response.headers.get('content-length'), String(bytes.length));
      const made = await sharp(bytes).metadata();
      assert.deepEqual([made.format, made.width, made.height], [format, width, height]);
    }
    assert.equal(variantsIn(stage, id).length, 4);
  });

  it('a variant is never larger than its picture', async () => {
    const id = await send(pngOf(200, 100), 'image/png');
    for (const name of ['thumb', 'preview']) {
      const { width, height } = await sharp(await bytesOf(await ask(`${id}?variant=${name}`))).metadata();
      assert.deepEqual([width, height], [200, 100]);
    }
    const tall = await send(pngOf(100, 900), 'image/png');
    const { width, height } = await sharp(await bytesOf(await ask(`${tall}?variant=thumb`))).metadata();
    assert.deepEqual([width, height], [100, 320]);
  });

  it('a variant is upright, in sRGB, has no metadata, and shows the first frame of an animation', async () => {
    const turned = await sharp(pngOf(600, 400))
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const id = await send(turned, 'image/jpeg');
    const made = await sharp(await bytesOf(await ask(`${id}?variant=preview`))).metadata();
    assert.deepEqual([made.width, made.height, made.space], [400, 600, 'srgb']);
    assert.deepEqual([made.exif, made.icc, made.xmp, made.orientation], [undefined, undefined, undefined, undefined]);
    const frames = [
      pngOf(40, 40),
      pngOf(40, 40, [
        [0, 0, 0],
        [9, 9, 9],
      ]),
    ];
    const animation = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [50, 50] })
      .toBuffer();
    const first = await bytesOf(await ask(`${await send(animation, 'image/gif')}?variant=thumb`));
    const { pages, width, height } = await sharp(first).metadata();
    assert.deepEqual([pages, width, height], [undefined, 40, 40]);
    const { channels } = await sharp(first).stats();
    assert.ok((channels[0]?.mean ?? 0) > 90, 'not the dark second frame');
  });

  for (const [type, encode] of [
    ['image/jpeg', (picture: Sharp) => picture.jpeg({ progressive: true })],
    ['image/png', (picture: Sharp) => picture.png({ progressive: true })],
    ['image/webp', (picture: Sharp) => picture.webp()],
    ['image/gif', (picture: Sharp) => picture.gif()],
    ['image/avif', (picture: Sharp) => picture.avif({ effort: 0 })],
  ] as const) {
    it(`a variant can be made of ${type}`, async () => {
      const id = await send(await encode(sharp(pngOf(500, 400))).toBuffer(), type);
      const { width, height } = await sharp(await bytesOf(await ask(`${id}?variant=thumb`))).metadata();
      assert.deepEqual([width, height], [320, 320]);
    });
  }

  it('a variant is served like a file: inert headers, HEAD, conditions and ranges', async () => {
    const id = await send(pngOf(700, 500), 'image/png', 'attachment');
    const response = await ask(`${id}?variant=thumb`);
    const bytes = await bytesOf(response);
    const header = (name: string) => response.headers.get(name) ?? '';
    assert.match(header('content-security-policy'), /^default-src 'none';.*sandbox$/);
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('cache-control'), 'private, no-cache');
    assert.equal(header('content-disposition'), 'inline; filename=picture.webp');
    assert.match(header('etag'), /^"[\w-]{43}"$/);
    const head = await ask(`${id}?variant=thumb`, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('etag')], [200, header('etag')]);
    assert.equal(head.headers.get('content-length'), String(bytes.length));
    assert.equal((await bytesOf(head)).length, 0);
    const known = await ask(`${id}?variant=thumb`, { 'if-none-match': header('etag') });
    assert.deepEqual([known.status, known.headers.get('vary')], [304, header('vary')]);
    const part = await ask(`${id}?variant=thumb`, { range: 'bytes=5-9', 'if-range': header('etag') });
    assert.deepEqual([part.status, await bytesOf(part)], [206, bytes.subarray(5, 10)]);
    const parts = await ask(`${id}?variant=thumb`, { range: 'bytes=0-1,5-6' });
    assert.match(parts.headers.get('content-type') ?? '', /^multipart\/byteranges/);
    const other = await ask(`${id}?variant=thumb`, avif);
    const whole = await ask(id);
    assert.equal(new Set([header('etag'), other.headers.get('etag'), whole.headers.get('etag')]).size, 3);
    const saved = await ask(`${id}?variant=thumb&download=1`);
    assert.equal(saved.headers.get('content-disposition'), 'attachment; filename=picture.webp');
  });

  it('a variant is for those who may read its file; to others its id is unknown', async () => {
    const stranger = (await enter(stage.url)).JWT;
    const own = await send(pngOf(50, 50), 'image/png');
    const shared = await send(pngOf(50, 50), 'image/png', 'avatar');
    assert.equal((await get(stage.url, stranger, `${shared}?variant=thumb`)).status, 200);
    assert.equal((await ask(`${own}?variant=thumb`)).status, 200);
    const unknown = await refusalOf(await get(stage.url, stranger, `fil_${'0'.repeat(22)}?variant=thumb`));
    assert.deepEqual([unknown.status, unknown.codeError], [404, 'FILE_NOT_FOUND']);
    assert.deepEqual(await refusalOf(await get(stage.url, stranger, `${own}?variant=thumb`)), unknown);
    assert.equal((await fetch(`${stage.url}/file/${own}?variant=thumb`)).status, 401);
  });

  it('a variant that the purpose does not list, or a file that is no picture, answers like an unknown file', async () => {
    const id = await send(pngOf(50, 50), 'image/png');
    const text = await send(textFile, 'text/csv', 'attachment');
    const unknown = await refusalOf(await ask(`fil_${'0'.repeat(22)}?variant=thumb`));
    for (const path of [
      `${id}?variant=320x320`,
      `${id}?variant=`,
      `${id}?variant=THUMB`,
      `${id}?variant=constructor`,
      `${text}?variant=thumb`,
    ])
      assert.deepEqual(await refusalOf(await ask(path)), unknown, path);
  });

  it('a picture with damaged pixels answers like an unknown file, and is decoded once', async () => {
    // Its structure is whole, and pixels of a WebP are not unpacked at an upload.
    const id = await send(webp(lossless(300, 300)), 'image/webp');
    const before = await count(stage, 'failed');
    for (const _ of [1, 2, 3]) {
      const { status, codeError } = await refusalOf(await ask(`${id}?variant=thumb`));
      assert.deepEqual([status, codeError], [404, 'FILE_NOT_FOUND']);
    }
    assert.equal((await count(stage, 'failed')) - before, 1);
    assert.equal((await ask(id)).status, 200, 'the file itself is served');
  });

  it('twenty callers who want the same variant at once share one making of it', async () => {
    const id = await send(pngOf(1200, 900), 'image/png');
    const before = await count(stage, 'made');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(`${id}?variant=thumb`)));
    const bodies = await Promise.all(answers.map(bytesOf));
    assert.ok(bodies.every((bytes) => bodies[0]?.equals(bytes)));
    assert.equal((await count(stage, 'made')) - before, 1);
  });

  it('a variant is deleted with its file, and found again after a restart', async () => {
    const [gone, kept] = [await send(pngOf(60, 60), 'image/png'), await send(pngOf(70, 70), 'image/png', 'avatar')];
    for (const id of [gone, kept]) assert.equal((await ask(`${id}?variant=thumb`)).status, 200);
    await fetch(`${stage.url}/api/file/${gone}`, { method: 'DELETE', headers: { authorization: `Bearer ${owner}` } });
    assert.equal((await ask(`${gone}?variant=thumb`)).status, 404);
    assert.deepEqual([variantsIn(stage, gone).length, variantsIn(stage, kept).length], [0, 1]);
    await stage.restart();
    assert.equal((await ask(`${kept}?variant=thumb`)).status, 200);
    assert.equal(await count(stage, 'made'), 0);
  });

  it('a file that is deleted while its variants are made leaves none of them', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => send(pngOf(300, 200), 'image/png')));
    const headers = { authorization: `Bearer ${owner}` };
    const answers = await Promise.all(
      ids.flatMap((id, at) => [
        ask(`${id}?variant=thumb`),
        ask(`${id}?variant=preview`),
        // Each deletion at another moment of the work.
        ask(`${ids[at % 3]}?variant=thumb`, avif).then(() =>
          fetch(`${stage.url}/api/file/${id}`, { method: 'DELETE', headers }),
        ),
      ]),
    );
    assert.ok(answers.every(({ status }) => [200, 404, 503].includes(status)));
    for (const id of ids) {
      assert.equal((await ask(`${id}?variant=thumb`)).status, 404);
      const folders = () => globSync(`${stage.env.DATA_DIR}/files/variants/*/${id}`);
      await waitUntil('the removal of all variants', async () => folders().length === 0 || undefined);
    }
    assert.deepEqual(
      ids.flatMap((id) => globSync(`${stage.env.DATA_DIR}/files/**/${id}`)),
      [],
    );
  });

  it('the service sends a variant itself where a front proxy sends files', async () => {
    await stage.restart({ FILE_DELIVERY: 'accel' });
    const id = await send(pngOf(75, 75), 'image/png');
    assert.ok((await ask(id)).headers.has('x-accel-redirect'));
    const response = await ask(`${id}?variant=thumb`);
    assert.deepEqual([response.status, response.headers.has('x-accel-redirect')], [200, false]);
    assert.ok((await bytesOf(response)).length > 0);
    await stage.restart();
  });

  it('variants are deleted with the account', async () => {
    const { JWT } = await enter(stage.url);
    const id = await store(stage.url, JWT, pngOf(80, 80), 'image/png');
    for (const headers of [{}, avif]) await get(stage.url, JWT, `${id}?variant=thumb`, headers);
    assert.equal(variantsIn(stage, id).length, 2);
    const headers = { authorization: `Bearer ${JWT}` };
    const deleted = await fetch(`${stage.url}/api/auth/me`, { method: 'DELETE', headers });
    assert.equal(deleted.status, 200);
    assert.deepEqual(globSync(`${stage.env.DATA_DIR}/files/variants/*/${id}`), []);
  });

  it('variants do not count towards the quota', async () => {
    const quota = async () => {
      const headers = { authorization: `Bearer ${owner}` };
      const response = await fetch(`${stage.url}/api/file/purposes`, { headers });
      return readEnvelope(await response.text()).data.quota;
    };
    const id = await send(pngOf(400, 400), 'image/png');
    const before = await quota();
    assert.equal((await ask(`${id}?variant=thumb`)).status, 200);
    assert.equal(variantsIn(stage, id).length, 1);
    assert.deepEqual(await quota(), before);
  });

  it('purposes are listed with the names of their variants', async () => {
    const headers = { authorization: `Bearer ${owner}` };
    const response = await fetch(`${stage.url}/api/file/purposes`, { headers });
    const { data } = readEnvelope(await response.text());
    const variants = Object.fromEntries(
      data.purposes.map(({ name, variants }: { name: string; variants: string[] }) => [name, variants]),
    );
    const usual = ['thumb', 'preview'];
    const expected = { avatar: usual, image: usual, document: [], audio: [], video: [], attachment: usual };
    assert.deepEqual(variants, expected);
  });
});

describe('variants of a purpose without a limit of pixels', () => {
  const file = join(makeFolder(), 'purposes.json');
  const purpose = { types: ['image/png'], maxBytes: 10_000_000, readableBy: 'owner', served: 'inline' };
  writeFileSync(file, JSON.stringify([{ ...purpose, name: 'image', variants: { 'tiny-1': '16x24' } }]));
  const stage = setStage('sqlite', { PURPOSES_FILE: file });

  it('a picture of more than fifty megapixels has no variant, and is not decoded', async () => {
    const { JWT } = await enter(stage.url);
    const black = { width: 10_000, height: 5001, channels: 3 as const, background: '#000' };
    const id = await store(stage.url, JWT, await sharp({ create: black }).png().toBuffer(), 'image/png');
    assert.equal((await get(stage.url, JWT, `${id}?variant=tiny-1`)).status, 404);
    assert.equal((await count(stage, 'made')) + (await count(stage, 'failed')), 0);
    const small = await store(stage.url, JWT, pngOf(90, 90), 'image/png');
    const { width, height } = await sharp(
      await bytesOf(await get(stage.url, JWT, `${small}?variant=tiny-1`)),
    ).metadata();
    assert.deepEqual([width, height], [16, 24]);
    assert.equal((await get(stage.url, JWT, `${small}?variant=thumb`)).status, 404);
  });
});

describe('variants in S3', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server();
  });
  after(() => server.stop());
  const stage = setStage('sqlite', () => ({ STORAGE_URL: server.url(), TRASH_LIFE: '0' }));

  it('a variant is made, kept next to the blobs, sent without a redirect, and deleted with its file', async () => {
    const { JWT } = await enter(stage.url);
    const id = await store(stage.url, JWT, pngOf(400, 300), 'image/png');
    const first = await get(stage.url, JWT, `${id}?variant=thumb`);
    assert.equal(first.status, 200);
    const key = `variants/${id}/320x320-1.webp`;
    assert.deepEqual(server.objects.get(key)?.bytes, await bytesOf(first));
    assert.deepEqual(globSync(`${stage.env.DATA_DIR}/**/spool/*`), []);
    await stage.restart();
    const cookie = await fetch(`${stage.url}/file/${id}?variant=thumb`, {
      redirect: 'manual',
      headers: { cookie: `JWT=${JWT}` },
    });
    assert.deepEqual([cookie.status, await count(stage, 'made')], [200, 0]);
    const headers = { authorization: `Bearer ${JWT}` };
    await fetch(`${stage.url}/api/file/${id}`, { method: 'DELETE', headers });
    assert.deepEqual(
      [...server.objects.keys()].filter((name) => name.includes(id)),
      [],
    );
  });
});

describe('variants on two nodes', () => {
  it('two nodes that make the same variant at once both answer it, and keep one', async (context) => {
    const nodes = await startTwoNodes(context, 'sqlite');
    const [one, other] = nodes.urls;
    const { JWT } = await enter(one);
    const id = await store(one, JWT, pngOf(900, 700), 'image/png');
    const answers = await Promise.all([one, other, one, other].map((url) => get(url, JWT, `${id}?variant=thumb`)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ headers }) => headers.get('etag'))).size, 1);
    assert.equal(variantsIn(nodes, id).length, 1);
  });
});

/** A PNG whose chunks are right, and whose compressed pixels are not. */

type Dumped = { name: string; values: { labels: Record<string, string>; value: number }[] };

async function count({ service }: Stage, outcome: string): Promise<number> {
  const all = (await service.metrics.dump()) as Dumped[];
  const values = all.find(({ name }) => name === 'gatehouse_variants_total')?.values ?? [];
  return values.filter(({ labels }) => labels.outcome === outcome).reduce((sum, { value }) => sum + value, 0);
}
