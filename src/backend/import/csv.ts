// Reads users from a CSV file of any origin: the names of its columns say what they are.
import type { Source } from './foreign-user.ts';
import { ownNames, readColumns } from './own-fields.ts';
import { splitCsv } from './split-csv.ts';

/** People write Phone, email_verified and External ID. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const byPlainName = new Map(ownNames.map((name) => [plain(name), name]));

export const csv: Source = {
  split: (start) =>
    splitCsv({ needs: ['phone', 'email'], start, nameOf: (column) => byPlainName.get(plain(column)) ?? column }),
  read: readColumns,
};
