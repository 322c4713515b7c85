// The list of changes that no unit test notices: each names its file, a place that is there, and a reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { roomOf } from '../../scripts/mutation/rooms.ts';
import { readKnownSurvivors } from '../../scripts/mutation/survivors.ts';

const onOneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('the list of changes that no unit test notices', () => {
  for (const [file, groups] of Object.entries(readKnownSurvivors())) {
    it(`is about sources of ${file} that are there, and says why`, () => {
      assert.ok(roomOf(file), 'the file is in no room that is tested with mutants');
      const source = onOneLine(readFileSync(file, 'utf8'));
      for (const { reason, changes } of groups) {
        assert.match(reason, /^[A-Z].{10,}\.$/s);
        assert.ok(changes.length > 0, reason);
        for (const change of changes) {
          const original = /^\w+: (.*) → /s.exec(change)?.[1];
          assert.ok(original !== undefined && source.includes(original), change);
        }
      }
    });
  }
});
