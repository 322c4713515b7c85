// The command `doctor`: checks everything the service depends on. Each line states the result, the cause and the cure.
import { existsSync } from 'node:fs';
import type { Config, ConfigResult } from '../../config/config.ts';
import type { Channel, PerChannel } from '../../messages/channel.ts';
import type { ProviderCheck } from '../../messages/delivery/provider-check.ts';
import { chooseProviderChecks } from '../../service/choose-provider-checks.ts';
import { type OpenedStore, openStore } from '../../store/open-store.ts';
import { claimFolder } from '../claim-data-dir.ts';
import type { Command } from '../declarations.ts';
import { isDatabaseMissing } from '../name-places.ts';
import { print } from '../terminal.ts';
import { attempt, type Findings } from './attempt.ts';
import { examineApps } from './examine-apps.ts';
import { examineBucket } from './examine-bucket.ts';
import { examineDeliveries } from './examine-deliveries.ts';
import {
  examineDatabase,
  examineDisk,
  examineInstallation,
  examineStorage,
  failedDatabase,
  judgeBackup,
  judgeClock,
  judgeConnections,
  missingDatabase,
} from './examine-machine.ts';
import { examineScanner } from './examine-scanner.ts';
import { examineServers } from './examine-servers.ts';
import { examineServiceKeys } from './examine-service-keys.ts';
import { examineHttps, examineProxy, examineSettings } from './examine-settings.ts';
import { examineVariants } from './examine-variants.ts';
import { bad, doubtful, type Finding, good, writeFinding } from './finding.ts';

const askMilliseconds = 8000;
const plainCure = 'enable TLS at the provider, and remove tls=off from its URL';

/** Exit code 1 when something is bad. */
export const doctor: Command<'doctor'> = async (context, { json }) => {
  const findings: Finding[] = [];
  for await (const finding of examine(context.tryConfig(), context.environment.files)) {
    findings.push(finding);
    if (!json) print(writeFinding(finding));
  }
  const isWell = findings.every(({ state }) => state !== 'bad');
  if (json) context.show({ isWell, findings }, '');
  return isWell ? 0 : 1;
};

async function* examine(result: ConfigResult, files: readonly string[]): AsyncIterable<Finding> {
  yield* examineSettings(result, files);
  if ('problems' in result) return;
  for (const [name, check] of checks) yield* attempt(name, () => check(result.config));
}

type Check = readonly [name: string, check: (config: Config) => Findings];

/** In the order in which the channels are examined. */
const providerCures: PerChannel<string> = {
  mail: 'check host, port, user and password in MAIL_URL',
  sms: 'check its part of SMS_URL',
};
const examined = Object.keys(providerCures) as Channel[];

const checks: readonly Check[] = [
  ['apps', ({ apps }) => examineApps(apps)],
  ['database', examineStore],
  ['storage', async (config) => [await examineStorage(config)]],
  ['bucket', examineBucket],
  ['disk', async (config) => [await examineDisk(config)]],
  ['variants', async (config) => [await examineVariants(config)]],
  ['scanner', examineScanner],
  ...examined.map((channel): Check => [channel, (config) => examineProviders(channel, config)]),
  ['proxy', (config) => [examineProxy(config)]],
  ['https', examineHttps],
];

async function* examineProviders(channel: Channel, config: Config): AsyncIterable<Finding> {
  const checks = await chooseProviderChecks(channel, config);
  if (checks.length === 0) yield good(channel, 'stays in the inbox');
  for (const check of checks)
    yield* attempt(channel, async () => [await examineProvider(channel, check, providerCures[channel])]);
}

async function* examineStore(config: Config): AsyncIterable<Finding> {
  let store: OpenedStore;
  try {
    if (config.databaseUrl === undefined && existsSync(config.dataDir)) claimFolder(config.dataDir);
    if (isDatabaseMissing(config)) {
      yield missingDatabase(config);
      return;
    }
    store = await openStore(config);
  } catch (error) {
    yield failedDatabase(config.databaseUrl, error);
    return;
  }
  try {
    const database = await examineDatabase(store, config.databaseUrl);
    yield database;
    yield* await examineServers(store);
    if (database.state === 'bad') return;
    const capacity = await store.capacity?.();
    if (capacity !== undefined) yield judgeConnections(capacity, config.databasePool, config.listen.workers);
    const now = store.clock.now();
    yield judgeClock(store.kind, now - Date.now(), now);
    const migrations = await store.migrations.status();
    if (migrations.every(({ isApplied }) => isApplied)) {
      yield await examineInstallation(config, store);
      yield* await examineServiceKeys(store);
      yield* await examineDeliveries(store);
    }
    const hasTables = migrations.some(({ isApplied }) => isApplied);
    const madeAt = hasTables ? await store.call('journal.findLastEvent', 'backup.created') : undefined;
    yield judgeBackup(config, madeAt, now);
  } finally {
    await store.close();
  }
}

async function examineProvider(name: string, check: ProviderCheck, cure: string): Promise<Finding> {
  const answer = await check.ask(AbortSignal.timeout(askMilliseconds));
  if (!answer.isGood) return bad(name, `${check.name}: ${answer.cause}`, cure);
  return check.isPlain === true
    ? doubtful(name, `${check.name}: ${answer.detail}, in plain text that others can read in transit`, plainCure)
    : good(name, `${check.name}: ${answer.detail}`);
}
