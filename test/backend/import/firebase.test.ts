// The claims in the CSV of Firebase, where a quotation mark that has a backslash before it is not doubled.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { firebase } from '../../../src/backend/import/firebase.ts';
import { asRecord } from '../../../src/kernel/text/as-record.ts';

/** As its command line writes them (firebase-tools, accountExporter.ts). */
const written = (claims: object) => `"${JSON.stringify(claims).replace(/(?<!\\)"/g, '""')}"`;

describe('the reader of Firebase', () => {
  it('reads claims of CSV with quotation marks and backslashes, in chunks of any size', () => {
    const file = new URL('../../fixtures/import/firebase.csv', import.meta.url);
    const whole = readFileSync(file, 'utf8').split('\r\n')[0] ?? '';
    const plain = written({ plan: 'gold', seats: 3 });
    assert.ok(whole.includes(plain));
    for (const text of ['the "boss"', '"', 'ends with a "', 'one " two', 'a\\', '\\"', '","', '{"a":"\\""}']) {
      const claims = { text, plan: 'gold', '"': 1 };
      const lines = `${whole.replace(plain, () => written(claims))}\r\n${whole}\r\n`;
      for (const size of [1, lines.length]) {
        const splitter = firebase.split(whole);
        const chunks = lines.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const entries = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
        const read = entries.map((entry) => 'value' in entry && firebase.read(asRecord(entry.value)).claims);
        assert.deepEqual(read, [claims, { plan: 'gold', seats: 3 }], text);
      }
    }
  });
});
