// The provider `inbox:` for SMS and mail: messages stay on this machine.
import { isBare } from '../../kernel/net/provider.ts';
import type { InboxParts, MailProvider, SmsProvider } from '../../messages/delivery/message-provider.ts';
import { createInboxSender } from './inbox-sender.ts';

const common = {
  name: 'inbox',
  schemes: ['inbox'],
  forms: ['inbox:'],
  parameters: ['rate'],
  bare: 'account',
  isLocalOnly: true,
  isComplete: isBare,
  plainHost: () => undefined,
  createCheck: undefined,
} as const;

export const smsInbox = {
  ...common,
  createSender: async (_, { announce }: InboxParts) => createInboxSender('sms', announce),
} as const satisfies SmsProvider;

export const mailInbox = {
  ...common,
  createSender: async (_, { announce }: InboxParts) => createInboxSender('mail', announce),
} as const satisfies MailProvider;
