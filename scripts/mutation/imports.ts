// Which modules a module loads: read from the text, so that nothing has to run.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`; the first group says whether only types are meant. */
const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/gm;

export type Imports = {
  /** Every module that `file` loads, also through others, and itself: paths from the root, and names of packages. */
  reachedFrom(file: string): ReadonlySet<string>;
};

export function readImports(root: string): Imports {
  const direct = new Map<string, string[]>();
  const reached = new Map<string, Set<string>>();

  function directlyFrom(file: string): string[] {
    const known = direct.get(file);
    if (known !== undefined) return known;
    const found: string[] = [];
    direct.set(file, found);
    if (!/\.[jt]s$/.test(file) || !existsSync(join(root, file))) return found;
    for (const [, onlyTypes, from, bare] of readFileSync(join(root, file), 'utf8').matchAll(importPattern)) {
      const name = from ?? bare;
      if (name === undefined || onlyTypes !== undefined) continue;
      found.push(name.startsWith('.') ? join(dirname(file), name) : name);
    }
    return found;
  }

  function reachedFrom(file: string): ReadonlySet<string> {
    const known = reached.get(file);
    if (known !== undefined) return known;
    const all = new Set([file]);
    for (const next of all) for (const name of directlyFrom(next)) all.add(name);
    reached.set(file, all);
    return all;
  }

  return { reachedFrom };
}
