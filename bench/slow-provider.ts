// `npm run bench:slow-provider`: how many codes a minute reach their users through an SMS provider that takes two seconds for each,
// and how long each waits. Default settings but for the limits on sends, because one machine asks for all codes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { allSent } from '../test/helpers/databases/raw-store.ts';
import { newPhone, sendOtp } from '../test/helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../test/helpers/services/gatehouse.ts';
import { noSendLimits } from '../test/helpers/services/no-send-limits.ts';

const latencyMilliseconds = Number(process.argv[2] ?? 2000);
const perSecond = Number(process.argv[3] ?? 150);
const seconds = Number(process.argv[4] ?? 60);
const windowSeconds = 10;

const askedAt = new Map<string, number>();
const arrivals: { readonly at: number; readonly waited: number }[] = [];
let [underWay, mostUnderWay] = [0, 0];
const provider = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { to } = JSON.parse(Buffer.concat(chunks).toString()) as { to: string };
  underWay += 1;
  mostUnderWay = Math.max(mostUnderWay, underWay);
  const now = performance.now();
  arrivals.push({ at: now, waited: now - (askedAt.get(to) ?? now) });
  await sleep(latencyMilliseconds);
  underWay -= 1;
  response.writeHead(200).end();
});
await once(provider.listen(0, '127.0.0.1'), 'listening');
const { port } = provider.address() as AddressInfo;
const { env, dispose } = await isolatedEnv('sqlite', {
  SMS_URL: `webhook+http://127.0.0.1:${port}/sms`,
  ...noSendLimits,
  SMS_DAILY_LIMIT: 'off',
  SMS_DAILY_LIMIT_PER_COUNTRY: 'off',
});
const node = await spawnGatehouse(env);
try {
  const begun = performance.now();
  const sends: Promise<void>[] = [];
  let refused = 0;
  for (let count = 0; count < perSecond * seconds; count++) {
    await sleep(Math.max(1, begun + (count * 1000) / perSecond - performance.now()));
    const phone = newPhone();
    askedAt.set(phone, performance.now());
    sends.push(
      sendOtp(node.url, phone).then(({ status }) => {
        if (status !== 200) refused += 1;
      }),
    );
  }
  await Promise.all(sends);
  await allSent(env);
  console.log('| s | codes a minute | median wait, s | longest wait, s |');
  console.log('|---|---|---|---|');
  for (let from = 0; from < seconds; from += windowSeconds) {
    const seen = arrivals.filter(({ at }) => Math.floor((at - begun) / 1000 / windowSeconds) * windowSeconds === from);
    const waits = seen.map(({ waited }) => waited / 1000).toSorted((a, b) => a - b);
    const median = (waits[Math.floor(waits.length / 2)] ?? 0).toFixed(2);
    console.log(
      `| ${from}–${from + windowSeconds} | ${(seen.length * 60) / windowSeconds} | ${median} | ${waits.at(-1)?.toFixed(2)} |`,
    );
  }
  const total = perSecond * seconds;
  console.log(`\n${total - refused} of ${total} asked, ${arrivals.length} sent, at most ${mostUnderWay} at once.`);
} finally {
  await node.stop();
  await dispose();
  provider.closeAllConnections();
  provider.close();
}
