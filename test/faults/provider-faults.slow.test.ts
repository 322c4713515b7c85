// Two providers on default settings: while the first hangs or flaps, every code reaches its user within seconds, and most at once.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allSent, askStore } from '../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { newPhone, sendOtp } from '../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../helpers/services/gatehouse.ts';
import { noSendLimits } from '../helpers/services/no-send-limits.ts';

const [first, second] = [setSmsRecorder(), setSmsRecorder()];

/** Between two codes. */
const pauseMilliseconds = 60;

for (const [what, answer] of [
  ['hangs', () => 'silence' as const],
  ['flaps every two seconds', () => (Math.floor(performance.now() / 2000) % 2 === 0 ? 'silence' : 200)],
] as const) {
  it(`while the first provider ${what}, no code is lost or sent thrice, and few wait for a time-out`, async (context) => {
    first.answer(200);
    // Without limits on sends, because one machine asks for all codes.
    const settings = { SMS_URL: `${first.url} ${second.url}`, ...noSendLimits };
    const { env, dispose } = await isolatedEnv('sqlite', settings);
    const node = await spawnGatehouse(env);
    context.after(async () => {
      await node.stop();
      await dispose();
    });
    const phones: string[] = [];
    const send = async () => {
      const phone = newPhone();
      const { status } = await sendOtp(node.url, phone);
      if (status === 200) phones.push(phone);
    };
    // A provider that was well before: its usual latency is known.
    for (let count = 0; count < 5; count++) await send();
    await allSent(env);
    const asked: number[] = [];
    const startedAt = performance.now();
    first.answer(() => {
      asked.push(performance.now());
      return answer();
    });
    const endAt = startedAt + 7000;
    while (performance.now() < endAt) {
      await send();
      await sleep(pauseMilliseconds);
    }
    await allSent(env);
    const times = phones.map((phone) => first.to(phone).length + second.to(phone).length);
    assert.equal(times.filter((count) => count === 0).length, 0);
    assert.ok(Math.max(...times) <= 2);
    // A code that the first provider got and did not answer is one that waited.
    const waited = phones.filter((phone) => first.to(phone).length > 0 && second.to(phone).length > 0).length;
    context.diagnostic(`${waited} of ${phones.length} codes waited for a time-out`);
    // By then it is left out, and only probes reach it: after one, two and four seconds.
    if (what === 'hangs') assert.ok(asked.filter((at) => at > startedAt + 4500).length <= 3);
    assert.deepEqual(await askStore(env, 'select id from outbox'), []);
  });
}
