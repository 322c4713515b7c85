// Examining never holds the event loop, measured as processor time of the main thread in a process of its own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { slowMedia } from '../../../media/test/helpers/slow-media-files.ts';
import type { Hold } from './measure-media-holds.ts';

describe('the event loop', () => {
  it('examining floods and slow files holds the event loop for less than 50 ms', async (t) => {
    const program = fileURLToPath(new URL('./measure-media-holds.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const holds = JSON.parse(stdout) as Hold[];
    const worst = holds.reduce((most, hold) => (hold.milliseconds > most.milliseconds ? hold : most));
    t.diagnostic(`${holds.length} files; longest hold ${worst.milliseconds.toFixed(1)} ms (${worst.name})`);
    assert.ok(worst.milliseconds < 50, worst.name);
    const sound = new Set(slowMedia().flatMap(({ name, isSound }) => (isSound ? [name] : [])));
    for (const { name, isProved } of holds) assert.equal(isProved, sound.has(name), name);
  });
});
