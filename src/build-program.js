// Bundles the program and its threads, with the packages they use, into a folder that appears whole or not at all.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, stop } from 'esbuild';

const entries = {
  main: 'src/main.ts',
  'sqlite-thread': 'src/store/sqlite/sqlite-thread.ts',
  'delivery-thread': 'src/app/delivery-thread.ts',
  'examiner-thread': 'src/adapters/examiner/examiner-thread.ts',
};

/** What packages that are no modules expect to be there. */
const opening = [
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)",
  '__dirname = import.meta.dirname',
  '__filename = import.meta.filename;',
].join(', ');

/**
 * @param {string} root
 * @param {readonly string[]} sources Folders of our own that the program may be made of.
 * @param {string} folder
 * @param {() => boolean} isUpToDate Asked when it is done.
 */
export async function buildProgram(root, sources, folder, isUpToDate) {
  const draft = `${folder}.${randomUUID()}`;
  mkdirSync(draft, { recursive: true });
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: entries,
      outdir: draft,
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node26',
      banner: { js: opening },
      // What bundles cannot be bundled, and some packages look for others that are not installed.
      external: ['esbuild', 'pg-native'],
      plugins: [placesOf(root, folder)],
      metafile: true,
      logLevel: 'silent',
    });
    for (const input of Object.keys(metafile.inputs)) {
      const isKnown = input.includes('node_modules/') || sources.some((source) => input.startsWith(`${source}/`));
      if (!isKnown) throw new Error(`${input} is no source of the program`);
    }
    if (!isUpToDate()) throw new Error('the sources have changed meanwhile');
    syncAll(draft);
    moveTo(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    await stop();
  }
}

/**
 * A source that asks where it stands is told where it stood, seen from the bundle, so that all may be moved together; a thread begins in
 * the bundle's own entry.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
function placesOf(root, folder) {
  return {
    name: 'places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(join(root, 'src'))) return undefined;
        const text = await readFile(path, 'utf8');
        const stood = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
        const contents = text
          .split(/(new URL\('\.\/[\w-]+-thread\.ts', import\.meta\.url\))/)
          .map((part, index) =>
            index % 2 === 1 ? part.replace('.ts', '.js') : part.replaceAll('import.meta.url', stood),
          )
          .join('');
        return { contents, loader: 'ts' };
      }),
  };
}

/**
 * A name that survives a power cut must not outlive what it names.
 *
 * @param {string} folder
 */
function syncAll(folder) {
  for (const name of readdirSync(folder)) {
    const file = openSync(join(folder, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/**
 * In one step, because several processes may be at it: who comes second finds it done.
 *
 * @param {string} draft
 * @param {string} folder
 */
function moveTo(draft, folder) {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'main.js'))) throw error;
  }
}
