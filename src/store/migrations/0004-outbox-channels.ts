// Migration: an index by channel, because each channel of the outbox is processed separately.
import type { Migration } from './migration.ts';

export const outboxChannels: Migration = {
  name: '0004-outbox-channels',
  statements: () => [
    "create index outbox_due_in_channel on outbox (channel, due_at) where state <> 'parked'",
    'drop index outbox_due',
  ],
};
