// Finds a target by its name, and loads it with or without instrumentation.
import { type Loaded, loadInstrumented, type PlantedFault } from './engine/load-instrumented.ts';
import type { FuzzTarget } from './engine/target.ts';

type TargetModule = { readonly targets: readonly FuzzTarget[] };

/** The package of media types keeps its own. */
const files = [
  ...['media', 'strip'].map((name) => new URL(`../../media/test/fuzz/targets/${name}.ts`, import.meta.url)),
  ...['multipart', 'tokens', 'captcha', 'headers', 'json-body'].map(
    (name) => new URL(`./targets/${name}.ts`, import.meta.url),
  ),
];

/** Every target, as it runs in the service. */
export async function readTargets(): Promise<FuzzTarget[]> {
  const modules = await Promise.all(files.map((file) => import(file.href) as Promise<TargetModule>));
  return modules.flatMap(({ targets }) => targets);
}

/** The same target, with every branch of the service counted, and perhaps a fault in it. */
export async function instrumentTarget(
  name: string,
  fault?: PlantedFault,
): Promise<Pick<Loaded<unknown>, 'literals'> & { readonly target: FuzzTarget }> {
  for (const file of files) {
    const { targets } = (await import(file.href)) as TargetModule;
    if (!targets.some((target) => target.name === name)) continue;
    const { module, literals } = await loadInstrumented<TargetModule>(file, fault);
    const target = module.targets.find((candidate) => candidate.name === name);
    if (target !== undefined) return { target, literals };
  }
  throw new Error(`no target ${name}`);
}
