// Which modules a module loads: read from the text, so that nothing has to run.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`, also of `#media/x`; the first group says whether only types are meant.
 */
const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([.#][^'"]+)['"]|import\s*\(?\s*['"]([.#][^'"]+)['"]/gm;

export type Imports = {
  /** The modules of the project that `file` loads, also through others, and itself. What a module loads is before it. */
  reachedFrom(file: string): ReadonlySet<string>;
};

/** Paths are relative to `root`. */
export function readImports(root: string): Imports {
  const reached = new Map<string, Set<string>>();

  function reachedFrom(file: string): ReadonlySet<string> {
    const known = reached.get(file);
    if (known !== undefined) return known;
    const all = new Set<string>();
    reached.set(file, all);
    for (const name of importsOf(join(root, file))) {
      for (const inner of reachedFrom(pathOf(name, file))) all.add(inner);
    }
    return all.add(file);
  }

  return { reachedFrom };
}

/** The names with `#` are those of the package.json: modules of the media package. */
function pathOf(name: string, from: string): string {
  return name.startsWith('#') ? name.replace(/^#media\/(.*)$/, 'media/src/$1.ts') : join(dirname(from), name);
}

function importsOf(path: string): string[] {
  if (!/\.[jt]s$/.test(path) || !existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(importPattern)]
    .filter(([, onlyTypes]) => onlyTypes === undefined)
    .map(([, , from, bare]) => from ?? bare ?? '');
}
