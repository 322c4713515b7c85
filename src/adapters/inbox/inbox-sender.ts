// The sender of `inbox:`. It keeps a message in the store of this machine and announces it in one line.
import type { InboxStore } from '../../messages/inbox.ts';
import type { AnnounceMessage } from '../../messages/message-provider.ts';
import type { Channel } from '../../messages/outbox.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';

export function createInboxSender(
  channel: Channel,
  inbox: Pick<InboxStore, 'keep'>,
  announce: AnnounceMessage,
): Sender {
  const send = async (message: OutgoingMessage): Promise<SendOutcome> => {
    try {
      await inbox.keep({ ...message, channel });
      announce(message, channel);
      return { kind: 'accepted' };
    } catch {
      // A retry is safe, because the inbox stores each message only once.
      return { kind: 'refused', error: 'inbox not writable' };
    }
  };
  return { name: 'inbox', channel, send };
}
