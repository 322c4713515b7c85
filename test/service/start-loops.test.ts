// How often a node reads what other nodes have written.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loopTimes } from '../../src/service/start-loops.ts';

it('a node reads revocations and signing keys at least twice in the second within which it promises to follow them', () => {
  assert.ok(loopTimes.followMilliseconds <= 500);
});
