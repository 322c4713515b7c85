// The command `migrate up`: applies missing migrations.
import type { Command } from '../declarations.ts';
import { openReachable, unreachable } from '../open-migrated.ts';

export const migrateUp: Command<'migrate up'> = async (context, { json }) => {
  const config = context.config();
  const store = await openReachable(config);
  try {
    const onStep = (step: string) => context.say(`${step} …`);
    const applied = await store.migrations.up(json ? {} : { onStep }).catch(unreachable(config));
    const text = applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n');
    context.show({ applied }, text);
    return 0;
  } finally {
    await store.close();
  }
};
