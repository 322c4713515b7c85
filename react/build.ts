// Builds the package into react/dist: one module and the type declarations. Those of the client must be there first.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildClient, rewriteImports } from '../client/build.ts';

const folder = import.meta.dirname;

async function buildReact(outdir = join(folder, 'dist')): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await bundleReact(outdir);
  if (!existsSync(join(folder, '../client/dist/element/element.d.ts'))) await buildClient();
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.build.json'), '--outDir', outdir], { stdio: 'inherit' });
  rewriteImports(outdir);
  copyFileSync(join(folder, '../LICENSE'), join(outdir, 'LICENSE'));
}

/** Everything but the type declarations. */
export async function bundleReact(outdir: string): Promise<void> {
  await build({
    entryPoints: [join(folder, 'src/gatehouse-react.ts')],
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    external: ['react', 'react/jsx-runtime', '@gatehouse/client', '@gatehouse/client/element'],
    // Frameworks that render on a server load this module in the browser too.
    banner: { js: "'use client';" },
    logLevel: 'warning',
  });
}

if (import.meta.main) await buildReact();
