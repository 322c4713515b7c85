// Races over HTTP on two nodes of one database: each has exactly one winner, by the answers and by the store.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../helpers/databases/raw-store.ts';
import { rounds } from '../helpers/faults/rounds.ts';
import { captchaMint } from '../helpers/requests/captcha-tokens.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { setTwoNodes } from '../helpers/services/stage.ts';
import { fileCount, raceKinds } from './rig/race-kinds.ts';

const secret = 'only the races of these nodes know it';
const lanesAtMost = 64;

describe('races on two nodes', { concurrency: true }, () => {
  for (const kind of storeKinds) {
    describe(`races on two nodes on ${kind}`, { concurrency: 1 }, () => {
      const nodes = setTwoNodes(kind, {
        SECRET: secret,
        CAPTCHA_URL: 'altcha:',
        FILE_COUNT: String(fileCount),
        LIMIT_UPLOADS_PER_USER: 'off',
        TRASH_LIFE: '0',
        // Enough for requests that are repeated after a 503.
        OTP_ATTEMPTS: '20',
        LIMIT_ATTEMPTS_PER_RECIPIENT: 'off',
      });
      const read = async (traces: readonly string[]) =>
        Promise.all(traces.map(async (text) => Number((await askStore(nodes.env, text))[0]?.n)));

      for (const [name, { open, traces }] of Object.entries(raceKinds)) {
        it(name, async (test) => {
          const count = rounds(12);
          const field = { urls: nodes.urls, captcha: captchaMint(secret) };
          const opening = Array.from({ length: Math.min(lanesAtMost, Math.ceil(count / 3)) }, () => open(field));
          const lanes = (await Promise.allSettled(opening)).map(endOf);
          const before = await read(traces);
          const begin = performance.now();
          let begun = 0;
          const ends = await Promise.allSettled(
            lanes.map(async (race) => {
              while (begun++ < count) {
                await race().catch((error: unknown) => {
                  begun = count;
                  throw error;
                });
              }
            }),
          );
          ends.forEach(endOf);
          const raised = (await read(traces)).map((value, index) => value - (before[index] ?? 0));
          assert.deepEqual(
            raised,
            traces.map(() => count),
            traces.join('; '),
          );
          const speed = Math.round((count * 1000) / (performance.now() - begin));
          test.diagnostic(`${kind}, ${name}: ${count} races, ${count} winners (${speed} a second)`);
        });
      }
    });
  }
});

/** Called only when all have ended: a race still running in the background would be counted in the next test. */
function endOf<T>(end: PromiseSettledResult<T>): T {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}
