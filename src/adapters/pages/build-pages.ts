// Bundles the web pages: one script and one style sheet a page, shared parts split off, every name with its content's hash.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile, stop } from 'esbuild';
import { countriesPlugin } from './countries.ts';

export type Asset = {
  readonly path: string;
  readonly type: string;
  /** Base64, so that it can be kept as JSON. */
  readonly plain: string;
  readonly gzip: string;
  readonly brotli: string;
};

export type PageFiles = {
  readonly script: string;
  readonly styles: readonly string[];
  /** What the script will ask for anyway. */
  readonly preload: readonly string[];
};

export type BuiltPages = {
  readonly assets: readonly Asset[];
  readonly pages: Readonly<Record<string, PageFiles>>;
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const entries = {
  'sign-in': 'web/sign-in/main.tsx',
  account: 'web/account/main.tsx',
  inbox: 'web/inbox/main.tsx',
  link: 'web/link/main.tsx',
  admin: 'web/admin/main.tsx',
  'captcha-worker': 'client/src/captcha-worker.ts',
};

export async function buildPages(): Promise<BuiltPages> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [countriesPlugin],
    logLevel: 'error',
  });
  await stop();
  const assets = await Promise.all(
    outputFiles.map(({ path, contents }) => pack(`/assets/${basename(path)}`, Buffer.from(contents))),
  );
  const pages = Object.entries(entries).map(([name, source]) => [name, findFiles(metafile, source)] as const);
  return { assets, pages: Object.fromEntries(pages) };
}

async function pack(path: string, content: Buffer): Promise<Asset> {
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ]);
  return {
    path,
    type: path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    plain: content.toString('base64'),
    gzip: gzipped.toString('base64'),
    brotli: brotli.toString('base64'),
  };
}

function findFiles({ outputs }: Metafile, source: string): PageFiles {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  if (found === undefined) throw new Error(`${source} was not built`);
  const [script, { cssBundle, imports }] = found;
  const preload = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => `/${path}`);
  return { script: `/${script}`, styles: cssBundle === undefined ? [] : [`/${cssBundle}`], preload };
}
