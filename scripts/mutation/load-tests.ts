// Loads test files, `node:test` being our collector, also once more while a mutant is active that works at load time.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { collectTests, type Test } from './node-test.ts';

const collector = new URL('./node-test.ts', import.meta.url).href;

export type TestLoader = {
  /** Loads a module that is no test. */
  loadModule(file: string): Promise<unknown>;
  /** The tests of a file. It is loaded once. */
  load(file: string): Promise<Test[]>;
  /** Loads tests anew, with every module on the way to those that `isConcerned`. */
  loadAgain(isConcerned: (file: string) => boolean): (file: string) => Promise<Test[]>;
};

export function createTestLoader(root: string): TestLoader {
  const loaded = new Map<string, Promise<Test[]>>();
  const concerned = new Map<string, (file: string) => boolean>();
  const rootUrl = pathToFileURL(`${root}/`).href;
  let generations = 0;

  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === 'node:test' && context.parentURL !== collector) {
        return { url: collector, format: 'module-typescript', shortCircuit: true };
      }
      const resolved = nextResolve(specifier, context);
      const generation = new URL(context.parentURL ?? 'none:').searchParams.get('again');
      if (generation === null || !resolved.url.startsWith(rootUrl)) return resolved;
      const file = fileURLToPath(resolved.url)
        .slice(root.length + 1)
        .replaceAll('\\', '/');
      if (concerned.get(generation)?.(file) !== true) return resolved;
      return { ...resolved, url: `${resolved.url}?again=${generation}` };
    },
  });

  const loadModule = (file: string, query = ''): Promise<unknown> =>
    import(pathToFileURL(join(root, file)).href + query);

  function load(file: string): Promise<Test[]> {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const tests = collectTests(file, true, () => loadModule(file));
    loaded.set(file, tests);
    return tests;
  }

  function loadAgain(isConcerned: (file: string) => boolean): (file: string) => Promise<Test[]> {
    const generation = String(++generations);
    concerned.set(generation, isConcerned);
    return (file) => collectTests(file, false, () => loadModule(file, `?again=${generation}`));
  }

  return { loadModule, load, loadAgain };
}
