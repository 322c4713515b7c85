// Messages that are accepted together are finished in one commit, and one that the store refuses harms no other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFinisher } from '../../src/messages/finish-together.ts';
import type { SentMessage } from '../../src/messages/outbox.ts';

const sent = (id: string): SentMessage => ({ id, detail: {}, now: 1 });

describe('finishing messages', () => {
  it('messages of one turn of the event loop are finished by one call, and those of the next by another', async () => {
    const calls: string[][] = [];
    const finish = createFinisher(async (messages) => void calls.push(messages.map(({ id }) => id)));
    await Promise.all(['a', 'b', 'c'].map((id) => finish(sent(id))));
    await finish(sent('d'));
    assert.deepEqual(calls, [['a', 'b', 'c'], ['d']]);
  });

  it('if a call fails, each of its messages is finished alone, and only the refused one fails', async () => {
    const calls: string[][] = [];
    const finish = createFinisher(async (messages) => {
      calls.push(messages.map(({ id }) => id));
      if (messages.some(({ id }) => id === 'b')) throw new RangeError('no');
    });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => finish(sent(id))));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(calls, [['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    await assert.rejects(finish(sent('b')), RangeError);
    assert.deepEqual(calls.slice(4), [['b']]);
  });
});
