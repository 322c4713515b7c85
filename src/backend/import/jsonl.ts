// Reads users from our own export: one JSON object per line, in the form in which `gatehouse export users` writes it.
import { asRecord } from '../../kernel/text/as-record.ts';
import { isRounded } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { readOwnFields } from './own-fields.ts';
import { splitLines } from './split-lines.ts';

export const jsonl: Source = {
  split: splitLines,
  read: (record) => {
    const fields = readOwnFields(record);
    const metadata = asRecord(record.metadata);
    return {
      ...fields,
      isIdRounded: isRounded(record.externalId),
      claims: record.claims ?? undefined,
      'metadata.public': metadata.public ?? undefined,
      'metadata.private': metadata.private ?? undefined,
    };
  },
};
