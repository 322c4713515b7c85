// The migrate command: shows which migrations are applied, or applies those that are missing.

import type { Config } from '../config/config.ts';
import type { MigrationState } from '../store/open-store.ts';
import { openReachable, unreachable } from './open-migrated.ts';
import { print, tell } from './terminal.ts';

export async function migrate(config: Config, verb: 'status' | 'up', json: boolean): Promise<void> {
  const store = await openReachable(config);
  const say = (what: string) => tell(`${what} …\n`);
  try {
    if (verb === 'up') {
      const applied = await store.migrations.up(json ? {} : { onStep: say }).catch(unreachable(config));
      const text = applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n');
      print(json ? `${JSON.stringify({ applied })}\n` : `${text}\n`);
      return;
    }
    const status = await store.migrations.status().catch(unreachable(config));
    print(json ? `${JSON.stringify(status)}\n` : describe(status));
  } finally {
    await store.close();
  }
}

function describe(status: readonly MigrationState[]): string {
  const word = ({ isApplied, isUnknown }: MigrationState) =>
    isUnknown ? 'unknown' : isApplied ? 'applied' : 'missing';
  const lines = status.map((migration) => `${word(migration)}  ${migration.name}`);
  const isNewer = status.some(({ isUnknown }) => isUnknown);
  return `${lines.join('\n')}\n${isNewer ? 'Unknown ones were applied by another version, probably a newer one.\n' : ''}`;
}
