// Sessions that ended: known at once on this node, read from the store for other nodes, and forgotten with their access tokens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRevocations } from '../../../src/auth/sessions/revocations.ts';
import { asSessionId } from '../../helpers/people/ids.ts';
import { minute, noon } from '../../helpers/store/fixtures.ts';

/** A life of 840 s and the extra minute: ended sessions are remembered for a quarter of an hour. */
const remembered = 15 * minute;

function createStage() {
  const stage = { now: noon, since: [] as number[], ended: [] as { id: string; endedAt: number }[] };
  const store = {
    endedSince: async (since: number) => {
      stage.since.push(since);
      return stage.ended.map(({ id, endedAt }) => ({ id: asSessionId(id), endedAt }));
    },
  };
  return { stage, revocations: createRevocations(store, { now: () => stage.now }, 840) };
}

describe('ended sessions', () => {
  it('a session that this node ended is known at once, and no other', () => {
    const { revocations } = createStage();
    assert.equal(revocations.has(asSessionId('a')), false);
    revocations.add(['a', 'b'].map(asSessionId));
    assert.deepEqual(['a', 'b', 'c'].map(asSessionId).map(revocations.has), [true, true, false]);
  });

  it('a session that another node ended is known after it was read', async () => {
    const { stage, revocations } = createStage();
    stage.ended = [{ id: 'a', endedAt: noon - 1 }];
    await revocations.follow();
    assert.deepEqual(['a', 'b'].map(asSessionId).map(revocations.has), [true, false]);
  });

  it('the first read goes back as far as an access token lives, and each later one to ten seconds before the last', async () => {
    const { stage, revocations } = createStage();
    await revocations.follow();
    stage.now = noon + minute;
    await revocations.follow();
    stage.now = noon + 60 * minute;
    await revocations.follow();
    assert.deepEqual(stage.since, [noon - remembered, noon - 10_000, noon + 60 * minute - remembered]);
  });

  it('a read that fails is repeated over the same time', async () => {
    let isDown = true;
    const asked: number[] = [];
    const store = {
      endedSince: async (since: number) => {
        asked.push(since);
        if (isDown) throw new Error('no store');
        return [];
      },
    };
    const revocations = createRevocations(store, { now: () => noon }, 840);
    await assert.rejects(revocations.follow(), /no store/);
    isDown = false;
    await revocations.follow();
    assert.deepEqual(asked, [noon - remembered, noon - remembered]);
  });

  const times: [what: string, after: number, isKnown: boolean][] = [
    ['while an access token may live', remembered - 1, true],
    ['no longer than that', remembered, false],
  ];
  for (const [what, after, isKnown] of times) {
    it(`an ended session is remembered ${what}`, async () => {
      const { stage, revocations } = createStage();
      revocations.add(['mine'].map(asSessionId));
      stage.ended = [{ id: 'theirs', endedAt: noon }];
      await revocations.follow();
      stage.ended = [];
      stage.now = noon + after;
      await revocations.follow();
      assert.deepEqual(['mine', 'theirs'].map(asSessionId).map(revocations.has), [isKnown, isKnown]);
    });
  }

  it('a session that is read again keeps its first time and its place', async () => {
    const { stage, revocations } = createStage();
    stage.ended = [{ id: 'a', endedAt: noon }];
    await revocations.follow();
    stage.ended = [
      { id: 'a', endedAt: noon + minute },
      { id: 'b', endedAt: noon + minute },
    ];
    stage.now = noon + minute;
    await revocations.follow();
    stage.ended = [];
    stage.now = noon + remembered;
    await revocations.follow();
    assert.deepEqual(['a', 'b'].map(asSessionId).map(revocations.has), [false, true]);
  });
});
