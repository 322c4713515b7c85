// Bundles the program, its threads and the packages that they use into a folder.
import { build, stop } from 'esbuild';
import { entryPoints } from '../../src/kernel/process/program-files.ts';
import { sources } from './find-build.js';

/** CommonJS packages expect these variables. */
const prologue = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;',
].join('\n');

/** Ends the process of the bundler. It would finish its work otherwise. */
export function stopBundler(): void {
  void stop();
}

export async function buildProgram(root: string, outdir: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    // One flat folder: the program finds its threads and pages next to itself.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    banner: { js: prologue },
    // Optional imports: pg-native is not installed, and sharp is a program of its own that is loaded where it is installed.
    external: ['pg-native', 'sharp'],
    metafile: true,
    logLevel: 'silent',
  });
  for (const input of Object.keys(metafile.inputs)) {
    const isKnown = input.includes('node_modules/') || sources.some((source) => input.startsWith(`${source}/`));
    if (!isKnown) throw new Error(`${input} is not in a source folder. Add its folder to scripts/build/find-build.js.`);
  }
}
