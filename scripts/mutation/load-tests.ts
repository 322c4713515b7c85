// Loads test files, `node:test` being our collector, also once more while a mutant is active that works at load time.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Imports } from './imports.ts';
import { collectTests, type Test } from './node-test.ts';

const collector = new URL('./node-test.ts', import.meta.url).href;

export type TestLoader = {
  /** The tests of a file. It is loaded once. */
  load(file: string): Promise<Test[]>;
  /** Loads tests anew, with every module on the way to `changed`. */
  loadAgain(changed: string): (file: string) => Promise<Test[]>;
};

export function createTestLoader(root: string, imports: Imports): TestLoader {
  const loaded = new Map<string, Promise<Test[]>>();
  const changedIn = new Map<string, string>();
  const rootUrl = pathToFileURL(`${root}/`).href;
  let generations = 0;

  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === 'node:test' && context.parentURL !== collector) {
        return { url: collector, format: 'module-typescript', shortCircuit: true };
      }
      const resolved = nextResolve(specifier, context);
      const generation = new URL(context.parentURL ?? 'none:').searchParams.get('again');
      if (generation === null || !resolved.url.startsWith(rootUrl) || resolved.url.includes('?')) return resolved;
      const file = fileURLToPath(resolved.url)
        .slice(root.length + 1)
        .replaceAll('\\', '/');
      const changed = changedIn.get(generation) ?? '';
      if (!imports.reachedFrom(file).has(changed)) return resolved;
      return { ...resolved, url: `${resolved.url}?again=${generation}` };
    },
  });

  const urlOf = (file: string) => pathToFileURL(join(root, file)).href;

  function load(file: string): Promise<Test[]> {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const tests = collectTests(file, () => import(urlOf(file)));
    loaded.set(file, tests);
    return tests;
  }

  function loadAgain(changed: string): (file: string) => Promise<Test[]> {
    const generation = String(++generations);
    changedIn.set(generation, changed);
    return (file) => collectTests(file, () => import(`${urlOf(file)}?again=${generation}`));
  }

  return { load, loadAgain };
}
