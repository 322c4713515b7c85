// What a node claims at the commit: never more than its limit, and nothing while messages wait in the outbox.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Channel, channels } from '../../../src/messages/channel.ts';
import { createMessageHolds } from '../../../src/messages/delivery/message-holds.ts';
import type { ClaimedMessage } from '../../../src/messages/outbox.ts';

function openHolds(most: number) {
  const delivered: ClaimedMessage[] = [];
  const full: Channel[] = [];
  const holds = createMessageHolds({
    leaseSeconds: 20,
    most,
    deliver: (message) => delivered.push(message),
    onFull: (channel) => full.push(channel),
  });
  const take = (count: number, channel: Channel = 'sms') =>
    Array.from({ length: count }, () => holds.hold(channel)).filter((hold) => hold !== undefined);
  return { holds, delivered, full, take };
}

describe('the messages that a node holds', () => {
  it('nothing is held before the outbox was seen to be empty, by channel', () => {
    const { holds, take, full } = openHolds(3);
    assert.equal(take(1).length, 0);
    holds.open('sms');
    assert.equal(take(1).length, 1);
    assert.equal(take(1, 'mail').length, 0);
    assert.deepEqual(full, []);
  });

  it('a held message is handed over with the lease that the commit gave it', () => {
    const { holds, delivered } = openHolds(3);
    holds.open('mail');
    const hold = holds.hold('mail');
    assert.equal(hold?.leaseSeconds, 20);
    const message = { id: 'message' } as ClaimedMessage;
    hold?.deliver(message);
    assert.deepEqual(delivered, [message]);
  });

  it('no more is held than the limit, and a full channel takes nothing until the outbox is empty again', () => {
    const { holds, take, full } = openHolds(3);
    holds.open('sms');
    holds.open('mail');
    assert.equal(take(5).length, 3);
    assert.deepEqual(full, ['sms']);
    assert.equal(take(1, 'mail').length, 1);
    holds.end('sms', 3);
    assert.equal(take(1).length, 0);
    holds.open('sms');
    assert.equal(take(5).length, 3);
    assert.deepEqual(full, ['sms', 'sms']);
  });

  it('the room of a message that was not queued, or was delivered, is free again', () => {
    const { holds, take } = openHolds(2);
    holds.open('sms');
    const [first] = take(2);
    first?.release();
    assert.equal(take(1).length, 1);
    holds.end('sms', 2);
    assert.equal(take(2).length, 2);
  });

  it('a worker that is gone held nothing, and the next one begins with the outbox', () => {
    const { holds, take } = openHolds(2);
    for (const channel of channels) {
      holds.open(channel);
      take(2, channel);
    }
    holds.reset();
    for (const channel of channels) {
      assert.equal(take(1, channel).length, 0);
      holds.open(channel);
      const [late] = take(2, channel);
      late?.release();
      assert.equal(take(1, channel).length, 1);
    }
  });

  it('a node that stops holds nothing more', () => {
    const { holds, take } = openHolds(2);
    for (const channel of channels) holds.open(channel);
    holds.stop();
    for (const channel of channels) {
      assert.equal(take(1, channel).length, 0);
      holds.open(channel);
      assert.equal(take(1, channel).length, 0);
    }
  });
});
