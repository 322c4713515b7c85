// Keeps the secrets that Gatehouse and an app share, each in a file that only its owner can read.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, project } from './place.ts';
import { run } from './run.ts';

const replacedAfterMilliseconds = 60 * 24 * 60 * 60 * 1000;

/** Signs the webhooks. Returns the file. */
export function keepWebhookSecret({ data }: Pick<Place, 'data'>): string {
  const file = join(data, 'webhook-secret');
  if (!existsSync(file)) keep(file, `whsec_${randomBytes(32).toString('base64')}`);
  return file;
}

/**
 * The key with which the app calls Gatehouse: created on the command line, which shows it once. It is replaced before it ends. Name only the scopes
 * that the app needs. Returns the file.
 */
export async function keepServiceKey(place: Place, scopes: readonly string[]): Promise<string> {
  const { data, name, urls, gatehouseEnv: env } = place;
  const file = join(data, 'service-key');
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age < replacedAfterMilliseconds && (await isAccepted(readFileSync(file, 'utf8').trim(), urls.gatehouse)))
    return file;
  const words = ['service-keys', 'create', '--name', name, '--scope', scopes.join(','), '--until', '90d'];
  const args = [join(project, 'src/gatehouse.js'), ...words];
  keep(file, await run({ name: 'gatehouse service-keys create', args, cwd: data, env }));
  return file;
}

/** Not if it was revoked, or if the data of Gatehouse were removed or restored: a database that begins again has no keys. */
async function isAccepted(key: string, url: string): Promise<boolean> {
  const { status, body } = await fetch(`${url}/api/service/users?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await body?.cancel();
  return status !== 403 && status !== 404;
}

function keep(path: string, secret: string): void {
  writeFileSync(path, `${secret.trim()}\n`, { mode: 0o600 });
}
