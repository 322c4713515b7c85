// Everything that the store has acknowledged is there after its process was killed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserId } from '../../src/kernel/ids.ts';
import { rounds } from '../helpers/faults/rounds.ts';
import { asSessionId, asUserId } from '../helpers/people/ids.ts';
import type { StoreKind } from '../helpers/services/gatehouse.ts';
import { startChild } from '../helpers/store/start-child.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';

onEveryStore('an acknowledged sign-in', (open, kind) => {
  it('an acknowledged sign-in survives repeated kills of its process', async (context) => {
    const cycles = rounds(kind === 'sqlite' ? 2 : 1);
    const acknowledged: { userId: UserId; sessionId: string }[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      const written = await writeUntilKilled(kind, open().address, cycle);
      assert.ok(written.length > 0);
      acknowledged.push(...written);
      const users = new Set((await open().rows('users')).map(({ id }) => id));
      const sessions = new Map((await open().rows('sessions')).map((row) => [row.id, row.user_id]));
      const lost = acknowledged.filter(
        ({ userId, sessionId }) => !users.has(userId) || sessions.get(asSessionId(sessionId)) !== userId,
      );
      assert.deepEqual(lost, []);
      assert.ok(
        [...sessions.values()].every((userId) => users.has(userId)),
        'no session without its user',
      );
    }
    if (kind === 'sqlite') assert.deepEqual(await open().query('pragma integrity_check'), [{ integrity_check: 'ok' }]);
    context.diagnostic(`${acknowledged.length} acknowledged sign-ins over ${cycles} kills`);
  });
});

/** The sign-ins that the child reported. It is killed a moment after its first report. */
async function writeUntilKilled(kind: StoreKind, address: string, cycle: number) {
  const child = startChild(new URL('../helpers/store/writing-child.ts', import.meta.url), [
    kind,
    address,
    String(cycle),
  ]);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const closed = once(child, 'close');
  if (child.stdout !== null) await once(child.stdout, 'data');
  await sleep(50 + Math.random() * 150);
  child.kill('SIGKILL');
  await closed;
  const whole = output.slice(0, output.lastIndexOf('\n'));
  return whole.split('\n').map((line) => {
    const [userId = '', sessionId = ''] = line.split(' ');
    return { userId: asUserId(userId), sessionId };
  });
}
