// The sender of `inbox:`. The store keeps its messages; it announces each in one line.

import type { Channel } from '../../messages/channel.ts';
import type { AnnounceMessage } from '../../messages/delivery/message-provider.ts';
import type { Sender } from '../../messages/delivery/sender.ts';

export function createInboxSender(channel: Channel, announce: AnnounceMessage): Sender {
  return {
    name: 'inbox',
    channel,
    send: async () => ({ kind: 'accepted' }),
    announce: (message) => announce(message, channel),
  };
}
