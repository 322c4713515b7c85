// Bundles the web pages: one script and one style sheet per page, shared chunks, and a content hash in every file name.
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { Asset } from '../../src/http/pages/assets.ts';
import type { ElementFiles } from '../../src/http/pages/element-routes.ts';
import type { PageFiles } from '../../src/http/pages/page-shell.ts';
import type { BuiltFiles } from '../../src/service/load-pages.ts';
import { countriesPlugin, listCountries } from './countries.ts';

/** Each built alone: most visitors see only these pages, and one script is smaller and sooner there than parts that it shares. */
const firstEntries = [{ 'sign-in': 'web/sign-in/main.tsx' }, { link: 'web/link/main.tsx' }];
const entries = {
  account: 'web/account/main.tsx',
  inbox: 'web/inbox/main.tsx',
  brand: 'web/brand/main.tsx',
  'not-me': 'web/not-me/main.tsx',
  'app-sign-out': 'web/app-sign-out/main.tsx',
  'app-error': 'web/app-error/main.tsx',
  'shared-file': 'web/shared-file/main.tsx',
  admin: 'web/admin/main.tsx',
  'captcha-worker': 'client/src/captcha-worker.ts',
};
const target = 'es2022';

export async function buildPages(root: string): Promise<BuiltFiles> {
  const [first, others, element, problemStyle] = await Promise.all([
    Promise.all(firstEntries.map((entry) => buildEntries(root, entry))),
    buildEntries(root, entries),
    buildElement(root),
    buildStyle(root, 'web/problem/problem-page.css'),
  ]);
  // Two builds may write the same part.
  const built = [...first, others];
  const assets = new Map(built.flatMap((one) => one.assets).map((asset) => [asset.path, asset]));
  return {
    assets: [...assets.values()],
    pages: Object.fromEntries(built.flatMap((one) => Object.entries(one.pages))),
    element,
    problemStyle,
  };
}

async function buildEntries(
  root: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<Omit<BuiltFiles, 'element' | 'problemStyle'>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [countriesPlugin],
    logLevel: 'silent',
  });
  const assets = await Promise.all(
    outputFiles.map(({ path, contents }) => pack(`/assets/${basename(path)}`, Buffer.from(contents))),
  );
  const pages = Object.entries(entryPoints).map(([name, source]) => [name, findFiles(metafile, source)] as const);
  return { assets, pages: Object.fromEntries(pages) };
}

/** Each file is complete and keeps its name, because pages of other origins load it by that name. */
async function buildElement(root: string): Promise<ElementFiles> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      'gatehouse-sign-in': 'client/src/element/served-element.ts',
      'captcha-worker': 'client/src/captcha-worker.ts',
    },
    outdir: 'element',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target,
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, contents }) => pack(`/${basename(path)}`, Buffer.from(contents)));
  return { files: await Promise.all(files), countries: listCountries() };
}

/** For a page that contains its style. */
async function buildStyle(root: string, source: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    target,
    logLevel: 'silent',
  });
  return (outputFiles[0]?.text ?? '').trim();
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
