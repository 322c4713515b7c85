// Builds the package into client/dist: one build for browsers and Node, one for React Native, and the type declarations.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const client = import.meta.dirname;

/** With the type declarations. */
export async function buildClient(outdir = join(client, 'dist')): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await bundleClient(outdir);
  execFileSync('tsc', ['-p', join(client, 'tsconfig.build.json'), '--outDir', outdir], { stdio: 'inherit' });
  rewriteImports(outdir);
  copyFileSync(join(client, '../LICENSE'), join(outdir, 'LICENSE'));
}

/** Everything but the type declarations. */
export async function bundleClient(outdir: string): Promise<void> {
  const entry = (name: string) => join(client, 'src', `${name}.ts`);
  const common = { bundle: true, format: 'esm', target: 'es2022', platform: 'neutral', logLevel: 'warning' } as const;
  await build({
    ...common,
    entryPoints: ['create-gatehouse', 'captcha-worker', 'verifier', 'service', 'testing'].map(entry),
    outdir,
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    external: ['node:*'],
  });
  await build({
    ...common,
    entryPoints: [entry('element/element')],
    outdir,
    plugins: [besideClient],
  });
  await build({
    ...common,
    entryPoints: [entry('create-gatehouse')],
    outdir: join(outdir, 'native'),
    // The engines of React Native support neither import.meta nor workers.
    define: { 'import.meta.url': '""' },
  });
}

/** The element imports the client of the package, so that an app with both has it once. */
const besideClient: Plugin = {
  name: 'beside-client',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/create-gatehouse\.ts$/ }, () => ({ path: './create-gatehouse.js', external: true })),
};

/** tsc keeps the `.ts` endings of imports in declarations. In the package they must be `.js`. */
export function rewriteImports(outdir: string): void {
  for (const name of readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  )) {
    const path = join(outdir, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(["'])(\.{1,2}\/[\w/-]+)\.tsx?\1/g, '$1$2.js$1'));
  }
}

if (import.meta.main) await buildClient();
