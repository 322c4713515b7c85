// Forged, altered and dead links to files, 20,000 and as many times more as FAULT_ROUNDS says: none opens, and all get one answer.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { drive, request } from '../../../bench/load/drive.ts';
import { writeLinkToken } from '../../../src/files/sharing/link-token.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { createRandom, pickOne } from '../../helpers/histories/record.ts';
import { asFileId } from '../../helpers/people/ids.ts';
import { call, newPhone, signIn } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { textFile } from '../../helpers/uploads/sample-files.ts';

const tries = rounds(20_000);
const connections = 64;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Where the parts of a token begin: the end, the epoch, the id of the link, the MAC. */
const at = { end: 1, epoch: 6, id: 10, mac: 22, length: 38 };

type Link = { readonly file: string; readonly token: string };
type Bad = Link & { readonly what: string };

describe('bad links', () => {
  const secret = 'the secret of the service of this test';
  const stage = setStage('sqlite', { SECRET: secret });
  const random = createRandom(seed);
  let JWT = '';
  let good: readonly Link[] = [];
  let dead: readonly Bad[] = [];

  const ask = async (method: string, path: string, body?: object) => {
    const reply = await call(stage.url, method, `/api/file/${path}`, { token: JWT, ...(body && { body }) });
    assert.equal(reply.body.codeError, null, `${method} ${path}`);
    return reply.body.data;
  };
  const store = async () => {
    const text = { purpose: 'document', name: 'a', type: 'text/csv', bytes: textFile };
    return String((await storeFile(stage.url, { ...text, token: JWT })).id);
  };
  const share = async (file: string, body: object = {}) => {
    const { id, url } = await ask('POST', `${file}/links`, body);
    return { id: String(id), file, token: String(new URL(url).searchParams.get('l')) };
  };
  const pathOf = ({ file, token }: Link) => `/file/${file}?l=${encodeURIComponent(token)}`;
  const open = (link: Link) => fetch(`${stage.url}${pathOf(link)}`);

  before(async () => {
    ({ JWT } = await signIn(stage.url, newPhone()));
    const [shared, other, trashed, removed] = [await store(), await store(), await store(), await store()];
    const expired = await share(shared, { expiresIn: 60 });
    const revoked = await share(shared);
    const ofOldEpoch = await share(other);
    const usedUp = await share(shared, { uses: 1 });
    const ofTrashed = await share(trashed);
    const ofRemoved = await share(removed);
    for (const link of [expired, revoked, ofOldEpoch, usedUp, ofTrashed, ofRemoved])
      assert.equal((await open(link)).status, 200);
    await ask('DELETE', `${shared}/links/${revoked.id}`);
    await ask('DELETE', `${other}/links`);
    for (const file of [trashed, removed]) await ask('DELETE', file);
    await ask('DELETE', `trash/${removed}`);
    stage.clock.advance(60);
    good = [await share(shared), await share(other), await share(shared, { uses: 9 })];
    const named = { expired, revoked, 'of an old epoch': ofOldEpoch, 'used up': usedUp };
    dead = Object.entries({ ...named, 'of a file in the trash': ofTrashed, 'of a removed file': ofRemoved }).map(
      ([what, { file, token }]) => ({ what, file, token }),
    );
  });

  /** What is tried once, whatever the number of tries. */
  function* everyChange(): Generator<Bad> {
    const [{ file, token } = assert.fail(), another = assert.fail()] = good;
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) yield { what: `bit ${bit}`, file, token: flip(bytes, [bit]) };
    for (let length = 0; length < token.length; length++) {
      yield { what: `its first ${length} letters`, file, token: token.slice(0, length) };
      yield { what: `without its first ${length + 1} letters`, file, token: token.slice(length + 1) };
      for (const letter of letters) {
        const changed = token.slice(0, length) + letter + token.slice(length + 1);
        if (changed !== token) yield { what: `letter ${length}`, file, token: changed };
      }
    }
    for (const more of [...letters, '=', '.', '+', '/', ' ', '\n', 'é', token])
      for (const longer of [token + more, more + token]) yield { what: 'extended', file, token: longer };
    yield { what: 'in padded base64', file, token: bytes.toString('base64') };
    yield { what: 'in hex', file, token: bytes.toString('hex') };
    yield { what: 'of another file', file: another.file, token };
    yield { what: 'of another file', file, token: another.token };
    for (let letter = 4; letter < file.length; letter++)
      yield { what: 'of a changed file id', file: swapLetter(file, letter), token };
    const theirs = Buffer.from(another.token, 'base64url');
    for (let cut = 1; cut < at.length; cut++) {
      const joined = Buffer.concat([bytes.subarray(0, cut), theirs.subarray(cut)]);
      // The two may begin or end alike.
      if (!joined.equals(theirs) && !joined.equals(bytes))
        yield { what: 'of two tokens', file, token: joined.toString('base64url') };
    }
  }

  /** Links that the service made for something else, with a right MAC; and those of another service. */
  function* made(): Generator<Bad> {
    const [{ file, token } = assert.fail()] = good;
    const bytes = Buffer.from(token, 'base64url');
    const linkId = bytes.toString('base64url', at.id, at.mac);
    const [epoch, expiresAt] = [bytes.readUInt32BE(at.epoch), bytes.readUIntBE(at.end, at.epoch - at.end) * 1000];
    const claim = { fileId: asFileId(file), linkId, epoch, expiresAt };
    const [own, foreign] = [createSecrets(secret), createSecrets('the secret of another service')];
    assert.equal(writeLinkToken(own, claim), token);
    yield { what: 'of another secret', file, token: writeLinkToken(foreign, claim) };
    const changes = [
      ...[epoch + 1, epoch + 2, 2 ** 32 - 1].map((other) => ({ epoch: other })),
      ...[-1, 1, 3600].map((seconds) => ({ expiresAt: expiresAt + seconds * 1000 })),
      { linkId: 'AbCdEfGhIjKlMnO-' },
    ];
    for (const change of changes)
      yield { what: JSON.stringify(change), file, token: writeLinkToken(own, { ...claim, ...change }) };
  }

  /** Guesses that never end. Half of them keep what anybody can know of a link and only lack its MAC. */
  function* guesses(): Generator<Bad> {
    for (;;) {
      const { file, token } = pickOne(random, [...good, ...dead]) ?? assert.fail();
      const bytes = Buffer.from(token, 'base64url');
      yield { what: 'random', file, token: fill(Buffer.from(bytes), 0).toString('base64url') };
      yield { what: 'with a random MAC', file, token: fill(Buffer.from(bytes), at.mac).toString('base64url') };
      yield { what: 'of an unknown file', file: newFileId(), token: fill(bytes, at.mac).toString('base64url') };
      const bits = Array.from({ length: 2 + Math.floor(random() * 6) }, () => Math.floor(random() * at.length * 8));
      if (new Set(bits).size === bits.length)
        yield { what: `bits ${bits}`, file, token: flip(Buffer.from(token, 'base64url'), bits) };
    }
  }

  function fill(bytes: Buffer, from: number): Buffer {
    for (let index = from; index < bytes.length; index++) bytes[index] = Math.floor(random() * 256);
    return bytes;
  }

  function* badLinks(): Generator<Bad> {
    yield* everyChange();
    yield* made();
    // A link is tried at most 600 times a minute.
    for (let time = 0; time < Math.min(500, rounds(50)); time++) yield* dead;
    yield* guesses();
  }

  it(`${tries} of them are answered alike, and none opens a file`, async (context) => {
    const links = badLinks();
    const kinds = new Map<string, string>();
    let tried = 0;
    const createCaller = () => {
      let asked: Bad & { kind: string };
      return {
        ask: () => {
          if (tried === tries) return undefined;
          tried += 1;
          const bad: Bad = links.next().value;
          // People get a page, programs an envelope, whatever else they ask for.
          const isPage = tried % 64 === 0;
          asked = { ...bad, kind: isPage ? 'page' : 'envelope' };
          const more = isPage ? '' : (['', '', '&download=1', '&variant=thumb', '&redirect=1'][tried % 5] ?? '');
          const headers = isPage
            ? { 'sec-fetch-dest': 'document' }
            : { ...(tried % 7 === 0 && { range: 'bytes=0-1' }) };
          return request(`GET ${pathOf(bad)}${more}`, 'localhost', headers);
        },
        check: (status: number, body: Buffer, head: string) => {
          const answer = `${head.replace(/\r\n(?:date|x-request-id): [^\r]+/gi, '')}\n${body}`;
          const { kind, ...bad } = asked;
          const known = kinds.get(kind) ?? answer;
          kinds.set(kind, known);
          assert.equal(status, 404, JSON.stringify(bad));
          if (answer !== known) assert.equal(answer, known, JSON.stringify(bad));
        },
      };
    };
    const { hostname: host, port } = new URL(stage.url);
    const callers = Array.from({ length: connections }, createCaller);
    const figures = await drive({ host, port: Number(port), callers, seconds: 3600 });
    assert.deepEqual([tried, figures.requests], [tries, tries]);
    assert.match(kinds.get('envelope') ?? '', /FILE_NOT_FOUND/);
    assert.match(kinds.get('page') ?? '', /\r\ncontent-type: text\/html/i);
    for (const link of good) assert.deepEqual(Buffer.from(await (await open(link)).arrayBuffer()), textFile);
    const [, , counted = assert.fail()] = good;
    // The one use is that of the line before: bad links use nothing up.
    const { links: listed } = await ask('GET', `${counted.file}/links`);
    assert.equal(listed.find(({ uses }: { uses: number | null }) => uses === 9)?.used, 1);
    context.diagnostic(`${tries} bad links in ${Math.ceil(figures.seconds)} s`);
  });
});

function flip(bytes: Buffer, bits: readonly number[]): string {
  const changed = Buffer.from(bytes);
  for (const bit of bits) changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed.toString('base64url');
}

function swapLetter(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}
