// The migrate command: shows which migrations are applied, or applies those that are missing.
import { openStore } from '../adapters/sql/open-store.ts';
import type { Config } from '../config/config.ts';
import { print } from './terminal.ts';

export async function migrate(config: Config, verb: 'status' | 'up', json: boolean): Promise<void> {
  const store = await openStore(config);
  try {
    if (verb === 'up') {
      const applied = await store.migrations.up();
      const text = applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `applied ${name}`).join('\n');
      print(json ? `${JSON.stringify({ applied })}\n` : `${text}\n`);
      return;
    }
    const status = await store.migrations.status();
    const lines = status.map(({ name, isApplied }) => `${isApplied ? 'applied' : 'missing'}  ${name}`);
    print(json ? `${JSON.stringify(status)}\n` : `${lines.join('\n')}\n`);
  } finally {
    await store.close();
  }
}
