// Migration: the charset of a text. Texts that were stored before it are UTF-8.
import type { Migration } from './migration.ts';

export const charsets: Migration = {
  name: '0007-charsets',
  statements: ({ text }) => [`alter table files add column charset ${text}`],
};
