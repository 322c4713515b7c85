// The command `doctor`: looks at everything the service depends on; each line says how it is, why, and what to do.

import { chooseMailCheck, chooseSmsChecks } from '../app/choose-provider-checks.ts';
import type { Config, ConfigResult } from '../config/config.ts';
import type { ProviderCheck } from '../messages/provider-check.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import { claimFolder } from './claim-data-dir.ts';
import {
  examineDatabase,
  examineDisk,
  examineInstallation,
  examineStorage,
  failedDatabase,
  judgeBackup,
  judgeClock,
  judgeConnections,
} from './doctor-machine.ts';
import { examineHttps, examineProxy, examineSettings } from './doctor-settings.ts';
import { bad, doubtful, type Finding, good, writeFinding } from './finding.ts';
import { print } from './terminal.ts';

const askMilliseconds = 8000;
const plainCure = 'let the provider offer TLS, and leave tls=off out of its URL';

/** Exit code 1 when something is bad. */
export async function doctor(result: ConfigResult, { json }: { json?: true }): Promise<number> {
  const findings: Finding[] = [];
  for await (const finding of examine(result)) {
    findings.push(finding);
    if (!json) print(writeFinding(finding));
  }
  const isWell = findings.every(({ state }) => state !== 'bad');
  if (json) print(`${JSON.stringify({ isWell, findings })}\n`);
  return isWell ? 0 : 1;
}

async function* examine(result: ConfigResult): AsyncIterable<Finding> {
  yield* examineSettings(result);
  if ('problems' in result) return;
  const { config } = result;
  yield* examineStore(config);
  yield await examineStorage(config);
  yield await examineDisk(config);
  const mail = await chooseMailCheck(config);
  yield mail === undefined
    ? good('mail', 'stays in the inbox')
    : await examineProvider('mail', mail, 'look at host, port, user and password in MAIL_URL');
  const sms = await chooseSmsChecks(config);
  if (sms.length === 0) yield good('sms', 'stays in the inbox');
  for (const check of sms) yield await examineProvider('sms', check, 'look at its part of SMS_URL');
  yield examineProxy(config);
  yield* examineHttps(config);
}

async function* examineStore(config: Config): AsyncIterable<Finding> {
  let store: OpenedStore;
  try {
    if (config.databaseUrl === undefined) claimFolder(config.dataDir);
    store = await openStore(config);
  } catch (error) {
    yield failedDatabase(config.databaseUrl, error);
    return;
  }
  try {
    const database = await examineDatabase(store, config.databaseUrl);
    yield database;
    if (database.state === 'bad') return;
    const capacity = await store.capacity?.();
    if (capacity !== undefined) yield judgeConnections(capacity, config.databasePool, config.listen.workers);
    const now = store.clock.now();
    yield judgeClock(store.kind, now - Date.now(), now);
    const migrations = await store.migrations.status();
    if (migrations.every(({ isApplied }) => isApplied)) yield await examineInstallation(config, store);
    const hasTables = migrations.some(({ isApplied }) => isApplied);
    const madeAt = hasTables ? await store.call('findLastEvent', 'backup.created') : undefined;
    yield judgeBackup(config.mode, madeAt, now);
  } finally {
    await store.close();
  }
}

async function examineProvider(name: string, check: ProviderCheck, cure: string): Promise<Finding> {
  const answer = await check.ask(AbortSignal.timeout(askMilliseconds));
  if (!answer.isGood) return bad(name, `${check.name}: ${answer.cause}`, cure);
  return check.isPlain === true
    ? doubtful(name, `${check.name}: ${answer.detail}, in plain text that others may read on the way`, plainCure)
    : good(name, `${check.name}: ${answer.detail}`);
}
