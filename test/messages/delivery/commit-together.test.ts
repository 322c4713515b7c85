// Messages that are accepted together are finished in one commit, and one that the store refuses harms no other. So are those that begin.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commitTogether } from '../../../src/messages/delivery/commit-together.ts';
import type { SentMessage } from '../../../src/messages/outbox.ts';

const sent = (id: string): SentMessage => ({ id, detail: {}, now: 1 });

describe('finishing messages', () => {
  it('messages of one turn of the event loop are finished by one call, and those of the next by another', async () => {
    const calls: string[][] = [];
    const finish = commitTogether(async (messages: readonly SentMessage[]) => {
      calls.push(messages.map(({ id }) => id));
      return messages.map(({ id }) => `${id} is done`);
    });
    const outputs = await Promise.all(['a', 'b', 'c'].map((id) => finish(sent(id))));
    assert.deepEqual(outputs, ['a is done', 'b is done', 'c is done']);
    await finish(sent('d'));
    assert.deepEqual(calls, [['a', 'b', 'c'], ['d']]);
  });

  it('if a call fails, each of its messages is finished alone, and only the refused one fails', async () => {
    const calls: string[][] = [];
    const finish = commitTogether(async (messages: readonly SentMessage[]) => {
      calls.push(messages.map(({ id }) => id));
      if (messages.some(({ id }) => id === 'b')) throw new RangeError('no');
      return [];
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
