// Reads users from our own export: one JSON object per line, in the form in which `gatehouse export users` writes it.
import { asRecord } from '../../kernel/text/as-record.ts';
import { isRounded } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { readOwnFields } from './own-fields.ts';
import { splitLines } from './split-lines.ts';

export const jsonl: Source = {
  split: splitLines,
  read: (record) => {
    const { public: publicMetadata, private: privateMetadata } = asRecord(record.metadata);
    const fields = readOwnFields({ ...record, publicMetadata, privateMetadata });
    return { ...fields, isIdRounded: isRounded(record.externalId) };
  },
};
