// The clock of one node, moved while it runs by libfaketime. Its monotonic clock is left alone, as on a machine whose clock is set.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEnv } from '../../test/helpers/services/gatehouse.ts';

export type FakeTime = { readonly env: TestEnv; move(seconds: number): void };

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;

const hasFakeTime = () => existsSync(library);

export function openFakeTime(folder: string): FakeTime {
  const file = join(folder, 'clock');
  const move = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  if (!hasFakeTime()) return { env: {}, move: () => assert.fail('the faketime package of Debian is missing') };
  move(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return { env, move };
}
