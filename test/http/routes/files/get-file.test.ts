// Opening by a link: the same work for every link of the right shape, and a limit for each.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDeps } from '../../../../src/files/deps.ts';
import type { FileLink } from '../../../../src/files/sharing/file-link.ts';
import { writeLinkToken } from '../../../../src/files/sharing/link-token.ts';
import type { Call } from '../../../../src/http/interface/route.ts';
import { getFileRoute } from '../../../../src/http/routes/files/get-file.ts';
import { createContentSender } from '../../../../src/http/routes/files/send-content.ts';
import { randomText } from '../../../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../../../src/kernel/crypto/secrets.ts';
import { Failure } from '../../../../src/kernel/failure.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryFiles,
  memoryLog,
  memorySharing,
  noon,
  recordOf,
} from '../../../helpers/blobs/memory-files.ts';
import { asFileId, asUserId } from '../../../helpers/people/ids.ts';

const secrets = createSecrets('a secret of this test, long enough');
const file = recordOf(fileId(1), 'x', { purpose: 'open' });
const link: FileLink = {
  id: 'AbCdEfGhIjKlMnO-',
  fileId: file.id,
  epoch: 0,
  createdAt: 0,
  expiresAt: noon + 60_000,
  uses: undefined,
  used: 0,
};
const token = writeLinkToken(secrets, { ...link, linkId: link.id });
const purpose = { types: ['text/plain'], maxBytes: 1, readableBy: 'owner', served: 'inline' } as const;

function setUp(opens: boolean, allowsLinks = true) {
  const asked: string[] = [];
  const sharing = memorySharing([file], [], {
    openLink: async ({ linkId }) => {
      asked.push(linkId);
      return opens ? { file, link } : undefined;
    },
  });
  const purposes = [{ ...purpose, name: 'open', links: allowsLinks }];
  const deps = { sharing, purposes, clock, secrets } as Partial<FileDeps> as FileDeps & { secrets: typeof secrets };
  const sent = { status: 200, headers: { vary: 'Origin' } } as const;
  const { handle } = getFileRoute(deps, async () => sent);
  const open = async (l: string, id = file.id) => {
    const call = { params: { id }, query: { l }, header: () => undefined, method: 'GET', language: 'en' };
    const answer = await handle(call as unknown as Call).catch((error: unknown) => error);
    return answer instanceof Failure ? answer.code : 'opened';
  };
  return { asked, open };
}

const changed = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;

describe('opening a file by a link', () => {
  for (const [what, text, opens, allowsLinks, expected] of [
    ['a link of ours', token, true, true, 'opened'],
    ['a link of ours that the store does not open', token, false, true, 'FILE_NOT_FOUND'],
    ['a link whose purpose allows none any more', token, true, false, 'FILE_NOT_FOUND'],
    ['a changed link whose row would open the file', changed, true, true, 'FILE_NOT_FOUND'],
    ['a forged link', randomText(38), false, true, 'FILE_NOT_FOUND'],
  ] as const) {
    it(`${what} asks the store exactly once: ${expected}`, async () => {
      const { asked, open } = setUp(opens, allowsLinks);
      assert.equal(await open(text), expected);
      assert.equal(asked.length, 1);
    });
  }

  it('the store is not asked about what has not the shape of a link or of an id', async () => {
    const { asked, open } = setUp(true);
    for (const [text, id] of [
      ['', file.id],
      ['x'.repeat(10_000), file.id],
      [token, 'x'],
    ] as const)
      assert.equal(await open(text, asFileId(id)), 'FILE_NOT_FOUND');
    assert.equal(asked.length, 0);
  });

  for (const [what, text] of [
    ['a link of ours', token],
    ['a forged link', changed],
  ] as const) {
    it(`${what} is opened 600 times a minute at most, and another one is not affected`, async (context) => {
      // The limit slides: at the border of two minutes one more would pass.
      context.mock.method(performance, 'now', () => 10_000);
      const { asked, open } = setUp(true);
      for (let time = 0; time < 600; time++) assert.notEqual(await open(text), 'RATE_LIMITED');
      assert.equal(await open(text), 'RATE_LIMITED');
      assert.equal(asked.length, 600);
      assert.notEqual(await open(text === token ? changed : token), 'RATE_LIMITED');
    });
  }
});

describe('the turn of a variant', () => {
  it('a picture waits in the queue of its owner, whichever link opens it, and of the user who asks', async () => {
    const picture = { ...purpose, name: 'open', types: ['image/png'], links: true, variants: { thumb: '32' } } as const;
    const files = Array.from({ length: 3 }, (_, at) =>
      recordOf(fileId(at), 'x', { purpose: 'open', type: 'image/png', width: 9, height: 9, userId: asUserId('eve') }),
    );
    const lines: unknown[] = [];
    const variantMaker: FileDeps['variantMaker'] = {
      make: async (parties) => {
        lines.push(parties);
        return Buffer.from('made');
      },
      join: () => undefined,
    };
    const linksOf = files.map(({ id }, at) => ({ ...link, id: `AbCdEfGhIjKlMnO${at}`, fileId: id }));
    const sharing = memorySharing(files, [{ fileId: fileId(0), userId: 'ben' }], {
      openLink: async ({ linkId }) => {
        const at = linksOf.findIndex(({ id }) => id === linkId);
        return { file: files[at] ?? assert.fail(), link: linksOf[at] ?? assert.fail() };
      },
    });
    const { log } = memoryLog();
    const purposes = [{ ...picture, readableBy: 'named' as const }];
    const parts = { sharing, purposes, clock, secrets, variantMaker, files: memoryFiles(files), log };
    const deps = parts as Partial<FileDeps> as FileDeps & { secrets: typeof secrets };
    const { signal } = new AbortController();
    /** Each call comes to a service that has no variant yet. */
    const ask = (id: string, asked: object) => {
      const { handle } = getFileRoute(deps, createContentSender({ ...deps, blobs: memoryBlobs() }, 'stream'));
      const call = { params: { id }, query: { variant: 'thumb' }, header: () => undefined, method: 'GET', signal };
      return handle({ ...call, ...asked } as unknown as Call);
    };
    for (const each of linksOf) {
      const l = writeLinkToken(secrets, { ...each, linkId: each.id });
      await ask(each.fileId, { query: { variant: 'thumb', l } });
    }
    await ask(fileId(0), { caller: { userId: 'ben' } });
    const ofOwner = { owner: 'eve', caller: 'eve' };
    assert.deepEqual(lines, [ofOwner, ofOwner, ofOwner, { owner: 'eve', caller: 'ben' }]);
  });
});
