// Bundles the program and its threads, with the packages they use, into a folder.
import { build } from 'esbuild';
import { entryPoints } from '../../src/kernel/program-files.ts';
import { sources } from './find-build.js';

/** What packages that are no modules expect to be there. */
const opening = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;',
].join('\n');

export async function buildProgram(root: string, outdir: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    // One folder without others below it: a part of the program finds its threads and pages beside itself.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    banner: { js: opening },
    // Looked for by a package, and not installed.
    external: ['pg-native'],
    metafile: true,
    logLevel: 'silent',
  });
  for (const input of Object.keys(metafile.inputs)) {
    const isKnown = input.includes('node_modules/') || sources.some((source) => input.startsWith(`${source}/`));
    if (!isKnown)
      throw new Error(`${input} is no source of the program: name its folder in scripts/build/find-build.js.`);
  }
}
