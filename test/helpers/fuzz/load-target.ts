// Finds a target by its name, and loads it with or without instrumentation.
import { type Loaded, loadInstrumented, type PlantedFault } from './engine/load-instrumented.ts';
import type { FuzzTarget } from './engine/target.ts';

type TargetModule = { readonly targets: readonly FuzzTarget[] };

const files = ['media', 'strip', 'multipart', 'tokens', 'captcha', 'headers', 'json-body'];

/** Every target, as it runs in the service. */
export async function readTargets(): Promise<FuzzTarget[]> {
  const modules = await Promise.all(files.map((file) => import(urlOf(file).href) as Promise<TargetModule>));
  return modules.flatMap(({ targets }) => targets);
}

/** The same target, with every branch of the service counted, and perhaps a fault in it. */
export async function instrumentTarget(
  name: string,
  fault?: PlantedFault,
): Promise<Pick<Loaded<unknown>, 'literals'> & { readonly target: FuzzTarget }> {
  for (const file of files) {
    const { targets } = (await import(urlOf(file).href)) as TargetModule;
    if (!targets.some((target) => target.name === name)) continue;
    const { module, literals } = await loadInstrumented<TargetModule>(urlOf(file), fault);
    const target = module.targets.find((candidate) => candidate.name === name);
    if (target !== undefined) return { target, literals };
  }
  throw new Error(`no target ${name}`);
}

function urlOf(file: string): URL {
  return new URL(`./targets/${file}.ts`, import.meta.url);
}
