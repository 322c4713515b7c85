// The rules of sharing, as tables of cases: who may make a link, when it opens its file, and what its readers become.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FileLink, sharingLimits } from '../../../src/files/sharing/file-link.ts';
import {
  countsUse,
  isAlive,
  judgeNewLink,
  judgeReaders,
  opens,
  readersEvent,
  sharedEvent,
  unsharedEvent,
} from '../../../src/files/sharing/sharing-rules.ts';
import { asFileId, asUserId } from '../../helpers/people/ids.ts';

const noon = 1_800_000_000_000;
const file = { userId: asUserId('ann'), purpose: 'image', epoch: 3 };
const own = { fileId: asFileId('f'), userId: asUserId('ann'), now: noon };
const ask = { ...own, id: 'new', expiresAt: noon + 1000, uses: undefined, purposes: ['image', 'video'] };
const link: FileLink = {
  id: 'one',
  fileId: asFileId('f'),
  epoch: 3,
  createdAt: noon - 5,
  expiresAt: noon + 1000,
  uses: undefined,
  used: 0,
};
const many = (count: number, changes: Partial<FileLink> = {}) =>
  Array.from({ length: count }, (_, at): FileLink => ({ ...link, id: `link ${at}`, ...changes }));

describe('a new link', () => {
  for (const [what, given, changes, expected] of [
    ['to no file', undefined, {}, 'not found'],
    ['to a file of another user', file, { userId: asUserId('bob') }, 'not found'],
    ['to a file in the trash', { ...file, deletedAt: noon - 1 }, {}, 'not found'],
    ['to a file whose time is over', { ...file, keepUntil: noon }, {}, 'not found'],
    ['to a file whose purpose allows none', file, { purposes: ['video'] }, 'not allowed'],
  ] as const) {
    it(`a link ${what} is refused: ${expected}`, () => {
      assert.equal(judgeNewLink(given, [], { ...ask, ...changes }), expected);
    });
  }

  it('a link has the epoch of its file, and is unused', () => {
    const expected = { id: 'new', fileId: 'f', epoch: 3, createdAt: noon, expiresAt: noon + 1000, uses: 4, used: 0 };
    assert.deepEqual(judgeNewLink(file, [], { ...ask, uses: 4 }), { link: expected, dropped: [] });
  });

  it('the hundredth link is made, and the next one is refused', () => {
    const most = sharingLimits.linksPerFile;
    assert.notEqual(judgeNewLink(file, many(most - 1), ask), 'full');
    assert.equal(judgeNewLink(file, many(most), ask), 'full');
  });

  for (const [what, dead] of [
    ['expired', { expiresAt: noon }],
    ['used-up', { uses: 1, used: 1 }],
    ['revoked', { epoch: 2 }],
  ] as const) {
    it(`${what} links leave room for a new one, and go if there are too many`, () => {
      const judged = judgeNewLink(file, many(sharingLimits.linksPerFile, dead), ask);
      assert.ok(typeof judged === 'object');
      assert.equal(judged.dropped.length, sharingLimits.linksPerFile);
    });
  }

  it('of few links, a new one drops only those whose time is over', () => {
    const links = [{ ...link, id: 'over', expiresAt: noon }, { ...link, id: 'used', uses: 1, used: 1 }, link];
    const judged = judgeNewLink(file, links, ask);
    assert.deepEqual(typeof judged === 'object' && judged.dropped, ['over']);
  });

  it('its event names file, link and end, and the uses if they are counted', () => {
    const detail = { file: 'f', link: 'new', until: new Date(noon + 1000).toISOString() };
    assert.deepEqual(sharedEvent(ask), { kind: 'file.shared', userId: 'ann', detail, now: noon });
    assert.deepEqual(sharedEvent({ ...ask, uses: 2 }).detail, { ...detail, uses: 2 });
  });
});

describe('opening by a link', () => {
  const opening = { fileId: asFileId('f'), linkId: 'one', epoch: 3, expiresAt: noon + 1000, now: noon };
  const shared = { ...file, isOwnerFree: true };

  for (const [what, linkChanges, fileChanges, claimChanges, expected] of [
    ['a link that fits', {}, {}, {}, true],
    ['a link in its last millisecond', {}, {}, { now: noon + 999 }, true],
    ['a link at its end', {}, {}, { now: noon + 1000 }, false],
    ['a link to another file', { fileId: asFileId('g') }, {}, {}, false],
    ['a link whose token has another epoch', {}, {}, { epoch: 2 }, false],
    ['a link whose token has another end', {}, {}, { expiresAt: noon + 2000 }, false],
    ['a link of an earlier epoch', { epoch: 2 }, {}, { epoch: 2 }, false],
    ['a link with uses left', { uses: 2, used: 1 }, {}, {}, true],
    ['a used-up link', { uses: 2, used: 2 }, {}, {}, false],
    ['a link to a file in the trash', {}, { deletedAt: noon }, {}, false],
    ['a link to a file whose time is over', {}, { keepUntil: noon }, {}, false],
    ['a link of a blocked owner', {}, { isOwnerFree: false }, {}, false],
  ] as const) {
    it(`${what} ${expected ? 'opens' : 'does not open'} the file`, () => {
      assert.equal(
        opens({ ...link, ...linkChanges }, { ...shared, ...fileChanges }, { ...opening, ...claimChanges }),
        expected,
      );
    });
  }

  for (const [what, linkChanges, claimChanges, expected] of [
    ['a link with a use left', { uses: 2, used: 1 }, {}, true],
    ['a used-up link', { uses: 2, used: 2 }, {}, false],
    ['a link that counts no uses', {}, {}, false],
    ['an expired link', { uses: 2 }, { now: noon + 1000 }, false],
    ['a link to another file', { uses: 2, fileId: asFileId('g') }, {}, false],
    ['a link of another epoch', { uses: 2 }, { epoch: 2 }, false],
  ] as const) {
    it(`${what} ${expected ? 'counts' : 'does not count'} one more use`, () => {
      assert.equal(countsUse({ ...link, ...linkChanges }, { ...opening, ...claimChanges }), expected);
    });
  }

  it('a link is alive only in its epoch', () => {
    assert.ok(isAlive(link, 3, noon));
    assert.equal(isAlive(link, 4, noon), false);
  });
});

describe('the end of links', () => {
  it('the event of one revoked link names it', () => {
    const detail = { file: 'f', links: 1, link: 'one' };
    assert.deepEqual(unsharedEvent(own, ['one']), { kind: 'file.unshared', userId: 'ann', detail, now: noon });
  });

  it('the event of several revoked links counts them, and none gives no event', () => {
    assert.deepEqual(unsharedEvent(own, ['one', 'two'])?.detail, { file: 'f', links: 2 });
    assert.equal(unsharedEvent(own, []), undefined);
  });
});

describe('readers of a file', () => {
  const change = { ...own, readers: [asUserId('bob'), asUserId('cas')], purposes: ['image'] };

  for (const [what, given, changes, expected] of [
    ['of no file', undefined, {}, 'not found'],
    ['of a file of another user', file, { userId: asUserId('bob') }, 'not found'],
    ['of a file in the trash', { ...file, deletedAt: noon - 1 }, {}, 'not found'],
    ['of a file whose purpose allows none', file, { purposes: [] }, 'not allowed'],
  ] as const) {
    it(`readers ${what} are refused: ${expected}`, () => {
      assert.equal(judgeReaders(given, [], { ...change, ...changes }), expected);
    });
  }

  for (const [before, readers, added, removed] of [
    [[], ['bob', 'cas'], ['bob', 'cas'], []],
    [['bob'], ['bob', 'cas'], ['cas'], []],
    [['bob', 'dan'], ['cas'], ['cas'], ['bob', 'dan']],
    [['bob'], [], [], ['bob']],
    [[], ['bob', 'bob'], ['bob'], []],
    [[], ['ann'], [], []],
  ] as const) {
    it(`from [${before}] to [${readers}], [${added}] come and [${removed}] go`, () => {
      assert.deepEqual(judgeReaders(file, before.map(asUserId), { ...change, readers: readers.map(asUserId) }), {
        added,
        removed,
      });
    });
  }

  it('the event says how many came and went, but not who', () => {
    const event = {
      kind: 'file.readers-changed',
      userId: 'ann',
      detail: { file: 'f', added: 1, removed: 2 },
      now: noon,
    };
    assert.deepEqual(readersEvent(change, { added: ['bob'], removed: ['cas', 'dan'] }), event);
    assert.equal(readersEvent(change, { added: [], removed: [] }), undefined);
  });
});
