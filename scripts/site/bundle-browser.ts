// Bundles the script and the styles of the documentation. They keep their names, so they are not hashed assets.
import { build } from 'esbuild';

export async function bundleBrowser(root: string): Promise<{ readonly styles: string; readonly script: string }> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { docs: 'scripts/site/browser/main.ts' },
    outdir: 'docs',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { styles: textOf('.css'), script: textOf('.js') };
}
