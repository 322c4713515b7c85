// Runs one drill: load, fault, the time after it, and a check of everything that was acknowledged.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../test/helpers/databases/postgres-pair.ts';
import type { Drill } from './drill.ts';
import { readFile, renew, type World } from './journeys.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import type { Arrival } from './phones.ts';
import { type AlertRule, type AlertSeen, startPrometheus } from './prometheus.ts';
import type { SmsProvider } from './sms-provider.ts';
import { host, type Stage } from './stage.ts';

export type DrillTimes = {
  readonly warmSeconds: number;
  readonly faultSeconds: number;
  readonly afterSeconds: number;
};

/** What was seen. All times are those of performance.now(). */
export type Observation = {
  readonly drill: Drill;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly ledger: Ledger;
  readonly arrivals: readonly Arrival[];
  readonly alerts: readonly AlertSeen[];
  readonly rules: readonly AlertRule[];
  /** What was acknowledged and is not there. */
  readonly lost: readonly string[];
};

/** How long a promised message may take, once nothing is broken any more, before it counts as lost. */
const untilLostMilliseconds = 60_000;
const checksAtOnce = 8;

export async function runDrill(stage: Stage, drill: Drill, times: DrillTimes): Promise<Observation> {
  const { phones, people, haproxy, captcha } = stage;
  const ledger = openLedger();
  const known = phones.arrivals.length;
  const { nextPhone, nextAddress } = people;
  const world: World = { port: haproxy.port, host, ledger, phones, captcha, nextPhone, nextAddress };
  const ports = stage.nodes.map(({ metricsPort }) => metricsPort);
  const prometheus = await startPrometheus(mkdtempSync(join(stage.folder, 'prometheus-')), ports);
  try {
    const load = startLoad(world);
    await sleep(times.warmSeconds * 1000);
    const beganAt = performance.now();
    const end = await drill.begin(stage);
    const lasts = Math.max(times.faultSeconds, drill.seconds ?? 0) * 1000;
    await sleep(Math.max(0, beganAt + lasts - performance.now()));
    await end();
    const endedAt = performance.now();
    await sleep(times.afterSeconds * 1000);
    await Promise.all([load.stop(), untilAllArrived(world, stage.smsA)]);
    const alerts = [...prometheus.alerts.values()];
    await drill.mend?.(stage);
    const lost = await findLost(world);
    const unreached = new Set(ledger.promises.map(({ to }) => to)).difference(
      new Set(phones.arrivals.map(({ to }) => to)),
    );
    if (unreached.size > 0) console.error(await describeUnsent(stage, [...unreached]));
    return {
      drill,
      beganAt,
      endedAt,
      ledger,
      arrivals: phones.arrivals.slice(known),
      alerts,
      rules: prometheus.rules,
      lost,
    };
  } finally {
    await prometheus.stop();
  }
}

/** Where the messages are that nobody got, for whoever looks for the reason. */
async function describeUnsent({ database }: Stage, recipients: readonly string[]): Promise<string> {
  const client = await connect(database.primary.server);
  const question = `select state, tries, doubts, last_error, count(*) as messages from outbox
    where payload like any($1) group by 1, 2, 3, 4`;
  const { rows } = await client.query(question, [recipients.map((recipient) => `%${recipient}%`)]);
  await client.end();
  return `${recipients.length} without a message, in the outbox: ${JSON.stringify(rows)}`;
}

/** Messages that come late count too, as doubled ones. */
async function untilAllArrived({ ledger, phones }: World, provider: SmsProvider): Promise<void> {
  const end = performance.now() + untilLostMilliseconds;
  const isMissing = () => provider.late > 0 || ledger.promises.some(({ to }) => phones.to(to).length === 0);
  while (isMissing() && performance.now() < end) await sleep(50);
}

/** Renews each session, which proves the user and the newest tokens, and reads each file. */
async function findLost(world: World): Promise<string[]> {
  const { ledger } = world;
  const until = performance.now() + untilLostMilliseconds;
  const goesOn = () => performance.now() < until;
  const lost: string[] = [];
  const before = ledger.signOuts.length;
  await each(
    ledger.sessions.filter(({ isEnded }) => !isEnded),
    (session) => renew(world, session, goesOn),
  );
  for (const { code } of ledger.signOuts.slice(before))
    if (code !== 'REFRESH_TOKEN_REUSED') lost.push(`session: ${code}`);
  await each(
    ledger.files.filter(({ session }) => !session.isEnded),
    async (file) => {
      const outcome = await readFile(world, file, goesOn);
      if (outcome !== 'as stored') lost.push(`file: ${outcome}`);
    },
  );
  return lost;
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: checksAtOnce }, worker));
}
