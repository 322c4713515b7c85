// The next version, as a folder to start it from: the same sources and one more migration, which adds a column to every table.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables } from '../../../src/store/engine/tables.ts';

const here = new URL('../../../', import.meta.url).pathname;

export function makeNextVersion(): { readonly folder: string; readonly migration: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-next-'));
  for (const name of [
    'src',
    'locales',
    'web',
    'client',
    'media/src',
    'scripts/build',
    'scripts/site',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(here, name), join(folder, name), { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  const all = join(folder, 'src/store/migrations/all.ts');
  const statements = [
    ...Object.keys(tables).map((table) => `alter table ${table} add column next text`),
    'create index next_sessions on sessions (next)',
  ];
  const next = { name: '9999-next', statements };
  // The formatter ends a long list with a comma.
  const list = /(readonly Migration\[\] = \[)([^\]]*?),?\s*\]/;
  const added = `{ name: ${JSON.stringify(next.name)}, statements: () => ${JSON.stringify(next.statements)} }`;
  const source = readFileSync(all, 'utf8');
  if (!list.test(source)) throw new Error('the list of migrations is not where it was');
  writeFileSync(all, source.replace(list, `$1$2, ${added}]`));
  return { folder, migration: next.name, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
