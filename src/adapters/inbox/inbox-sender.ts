// The sender of `inbox:`: a message stays on this machine, in the store, and one line says that it came.
import type { InboxStore } from '../../messages/inbox.ts';
import type { Channel } from '../../messages/outbox.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';

export type AnnounceMessage = (message: OutgoingMessage, channel: Channel) => void;

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
      // Another try is safe: the inbox keeps a message once, however often it is handed in.
      return { kind: 'refused', error: 'inbox not writable' };
    }
  };
  return { name: 'inbox', channel, send };
}
