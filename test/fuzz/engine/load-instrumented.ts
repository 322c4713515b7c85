// Loads a module with everything that it imports, instrumented, beside the ordinary modules of the process.
import { readFileSync } from 'node:fs';
import { createRequire, type LoadHookContext, registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument, type Literals } from './instrument.ts';
import { probes } from './probes.ts';

/** A fault to plant: in a source file, one text is replaced by another. */
export type PlantedFault = { readonly file: string; readonly find: string; readonly replace: string };

export type Loaded<Module> = {
  readonly module: Module;
  /** Of each instrumented source. */
  readonly literals: readonly Literals[];
};

const root = new URL('../../../', import.meta.url).href;
const mark = 'instrumented';
/** Parsers that the service relies on. Their branches guide the search like its own. */
const instrumentedPackages = ['@fastify/busboy', 'cookie', 'content-disposition'];

Object.assign(globalThis, { fuzzProbes: probes });

let loads = 0;

/** Modules under `src/` and `media/src/` are counted; helpers and tests are only loaded anew, so that they share classes with them. */
export async function loadInstrumented<Module>(url: URL, fault?: PlantedFault): Promise<Loaded<Module>> {
  loads += 1;
  const tag = `${mark}=${loads}`;
  const literals: Literals[] = [];
  let isPlanted = fault === undefined;

  function sourceOf(path: string): string {
    const source = readFileSync(new URL(path, root), 'utf8');
    if (fault === undefined || path !== fault.file) return source;
    if (source.split(fault.find).length !== 2) throw new Error(`${path} must contain exactly once: ${fault.find}`);
    isPlanted = true;
    return source.replace(fault.find, () => fault.replace);
  }

  function rewrite(path: string, sourceType: 'module' | 'script'): string {
    const source = sourceOf(path);
    const plain = path.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
    if (!isCounted(path)) return plain;
    const result = instrument(plain, sourceType);
    literals.push(result.literals);
    return result.code;
  }

  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const isInside = context.parentURL?.includes(tag) === true && isOurs(resolved.url);
      return isInside ? { ...resolved, url: `${resolved.url}?${tag}` } : resolved;
    },
    load: (address, context: LoadHookContext, next) => {
      const [plain = ''] = address.split('?');
      const path = plain.startsWith(root) ? fileURLToPath(plain).slice(fileURLToPath(root).length) : '';
      const isScript = context.format === 'commonjs';
      const isWanted = address.includes(tag) || (isScript && isCounted(path));
      if (!isWanted || !/\.[cm]?[jt]s$/.test(path)) return next(address, context);
      const format = isScript ? 'commonjs' : 'module';
      return { format, source: rewrite(path, isScript ? 'script' : 'module'), shortCircuit: true };
    },
  });
  forgetScripts();
  try {
    const module = (await import(`${url.href}?${tag}`)) as Module;
    if (!isPlanted) throw new Error(`${fault?.file} was not loaded`);
    return { module, literals };
  } finally {
    hooks.deregister();
    forgetScripts();
  }
}

/** Scripts are cached by their path alone, so that the ordinary and the instrumented ones would be the same. */
function forgetScripts(): void {
  const { cache } = createRequire(import.meta.url);
  const isForgotten = (path: string) => instrumentedPackages.some((name) => path.includes(`/node_modules/${name}/`));
  for (const path of Object.keys(cache)) if (isForgotten(path)) delete cache[path];
}

function isOurs(url: string): boolean {
  if (!url.startsWith(root) || url.includes('?')) return false;
  const path = url.slice(root.length);
  return (isCounted(path) || !path.startsWith('node_modules/')) && !path.startsWith('test/fuzz/engine/');
}

function isCounted(path: string): boolean {
  return (
    /^(?:media\/)?src\//.test(path) || instrumentedPackages.some((name) => path.startsWith(`node_modules/${name}/`))
  );
}
