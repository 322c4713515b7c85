// The mask of a recipient, by channel.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channels } from '../../../src/messages/channel.ts';
import { maskTo } from '../../../src/messages/texts/mask-recipient.ts';

describe('a masked recipient', () => {
  it('a phone number is masked as such for SMS, and an e-mail address for mail', () => {
    assert.equal(maskTo.sms('+12025550123'), '+12•••23');
    assert.equal(maskTo.mail('ann@example.com'), 'a•••@example.com');
  });

  for (const channel of channels) {
    it(`nothing is shown of an unknown recipient by ${channel}`, () => assert.match(maskTo[channel](''), /^\+?•••$/));
  }
});
