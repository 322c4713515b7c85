// Keeps the two secrets that Gatehouse and the app share, each in a file that only its owner can read.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { files, gatehouseEnv, project, urls } from './settings.ts';

/** Only what the notebook needs. */
const scopes = ['users:read', 'users:write', 'files:read', 'events:read'];
const replacedAfterMilliseconds = 60 * 24 * 60 * 60 * 1000;

/** Signs the webhooks. */
export function keepWebhookSecret(): void {
  if (existsSync(files.webhookSecret)) return;
  keep(files.webhookSecret, `whsec_${randomBytes(32).toString('base64')}`);
}

/** The key with which the app calls Gatehouse: created on the command line, which shows it once. It is replaced before it ends. */
export async function keepServiceKey(): Promise<void> {
  const age = Date.now() - (statSync(files.serviceKey, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age < replacedAfterMilliseconds && (await isAccepted(readFileSync(files.serviceKey, 'utf8').trim()))) return;
  const words = ['service-keys', 'create', '--name', 'notes', '--scope', scopes.join(','), '--until', '90d'];
  const name = 'gatehouse service-keys create';
  keep(files.serviceKey, await run({ name, args: [join(project, 'src/gatehouse.js'), ...words], env: gatehouseEnv }));
}

/** Not if it was revoked, or if the data of Gatehouse were removed or restored: a database that begins again has no keys. */
async function isAccepted(key: string): Promise<boolean> {
  const url = `${urls.gatehouse}/api/service/users?limit=1`;
  const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await body?.cancel();
  return status !== 403 && status !== 404;
}

function keep(path: string, secret: string): void {
  writeFileSync(path, `${secret.trim()}\n`, { mode: 0o600 });
}
