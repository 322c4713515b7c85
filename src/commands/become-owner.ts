// A command that root runs goes on as the user who owns the data folder: what it writes there belongs to the service.
import { statSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** What the command can and cannot do is then what the service can and cannot do. Returns whether the user is another one now. */
export function becomeOwner({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  if (process.getuid?.() !== 0) return false;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return false;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
  return true;
}
