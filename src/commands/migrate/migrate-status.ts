// The command `migrate status`: lists migrations and whether they are applied.
import { listMigrations, type MigrationState } from '../../store/open-store.ts';
import type { Command } from '../declarations.ts';
import { isDatabaseMissing } from '../name-places.ts';
import { openReachable, unreachable } from '../open-migrated.ts';

export const migrateStatus: Command<'migrate status'> = async (context) => {
  const config = context.config();
  if (isDatabaseMissing(config)) {
    const status = await listMigrations();
    context.show(status, describe(status));
    context.say(`There is no database in ${config.dataDir} yet: the first start creates it.`);
    return 0;
  }
  const store = await openReachable(config);
  try {
    const status = await store.migrations.status().catch(unreachable(config));
    context.show(status, describe(status));
    return 0;
  } finally {
    await store.close();
  }
};

function describe(status: readonly MigrationState[]): string {
  const word = ({ isApplied, isUnknown }: MigrationState) =>
    isUnknown ? 'unknown' : isApplied ? 'applied' : 'missing';
  const lines = status.map((migration) => `${word(migration)}  ${migration.name}`);
  if (status.some(({ isUnknown }) => isUnknown))
    lines.push('Another version of the program, probably a newer one, has applied the unknown migrations.');
  return lines.join('\n');
}
