// When a process notes what it leaves out: never while all is well, again at each turn while not, and again after a failure.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Omission } from '../../../src/messages/delivery/node-standing.ts';
import { createStandingNotes } from '../../../src/messages/delivery/standing-notes.ts';

const twilio: Omission = { channel: 'sms', provider: 'twilio', since: 1 };

function open() {
  let now = 0;
  let omissions: readonly Omission[] = [];
  let isAway = false;
  const noted: string[] = [];
  const notes = createStandingNotes({
    standings: {
      note: async (standing) => {
        noted.push(`${standing.node} ${standing.omissions.length} at ${standing.seenAt}`);
        if (isAway) throw new Error('away');
      },
      list: () => assert.fail('read'),
    },
    providers: { list: () => omissions },
    clock: { now: () => now },
    node: 'a',
  });
  return {
    notes,
    turn: async (left: readonly Omission[], whenAway = false) => {
      now += 5;
      omissions = left;
      isAway = whenAway;
      const failed = await notes.renew().then(
        () => [],
        () => ['failed'],
      );
      return [...noted.splice(0), ...failed];
    },
    end: async () => {
      await notes.end();
      return noted.splice(0);
    },
  };
}

it('nothing is noted while all is well', async () => {
  const { turn, end } = open();
  assert.deepEqual([await turn([]), await turn([]), await end()], [[], [], []]);
});

it('what is left out is noted at each turn, and taken back once', async () => {
  const { turn, end } = open();
  assert.deepEqual(await turn([twilio]), ['a 1 at 5']);
  assert.deepEqual(await turn([twilio]), ['a 1 at 10']);
  assert.deepEqual(await turn([]), ['a 0 at 15']);
  assert.deepEqual([await turn([]), await end()], [[], []]);
});

it('the end takes back what is left out', async () => {
  const { turn, end } = open();
  await turn([twilio]);
  assert.deepEqual(await end(), ['a 0 at 5']);
  assert.deepEqual(await end(), []);
});

it('a note that failed is tried again, and one that may have been written is taken back', async () => {
  const { turn } = open();
  assert.deepEqual(await turn([twilio], true), ['a 1 at 5', 'failed']);
  assert.deepEqual(await turn([], true), ['a 0 at 10', 'failed']);
  assert.deepEqual(await turn([]), ['a 0 at 15']);
  assert.deepEqual(await turn([]), []);
});
