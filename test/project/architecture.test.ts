// Checks the architecture rules: which folder may import which, no circular imports, and the shape of every source file.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

type Import = { readonly from: string; readonly to: string; readonly isType: boolean; readonly isLazy: boolean };

type Packages = { readonly dependencies?: object; readonly devDependencies?: object };

const root = new URL('../../', import.meta.url).pathname;
const readPackage = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const mediaExports: Record<string, { types: string; default: string }> = readPackage('media/package.json').exports;
/** The modules of the media package, by the names that the service imports. */
const mediaNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(mediaExports).map(([name, { types }]) => [`#media${name.slice(1)}`, `media/${types}`]),
);
const files = ['src', 'scripts/site', 'client/src', 'react/src', 'media/src', 'web', 'locales']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.tsx?$/.test(path))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const imports = files.flatMap(readImports);

const domain = [
  'kernel',
  'media',
  'abuse',
  'messages',
  'brand',
  'auth',
  'files',
  'backup',
  'support',
  'backend',
  'apps',
];

/** The folders that each folder may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  locales: [],
  kernel: ['locales'],
  media: [],
  abuse: ['kernel'],
  messages: ['kernel'],
  brand: ['messages', 'kernel'],
  auth: ['abuse', 'messages', 'kernel'],
  files: ['abuse', 'messages', 'media', 'kernel'],
  backup: ['files', 'kernel'],
  support: ['auth', 'files', 'messages', 'abuse', 'kernel'],
  apps: ['auth', 'kernel'],
  backend: ['auth', 'files', 'messages', 'abuse', 'kernel'],
  http: domain,
  store: domain,
  adapters: domain,
  config: [...domain, 'adapters'],
  client: [],
  react: [],
};

/** The only file of adapters that config may import. */
const registry = 'src/adapters/providers.ts';

const drivers = ['pg', 'node:sqlite', 'better-sqlite3'];

describe('imports between folders', () => {
  for (const [folder, others] of Object.entries(mayImport)) {
    it(`${folder} imports only these folders of the project: ${['itself', ...others].join(', ')}`, () => {
      const wrong = imports.filter(
        ({ from, to }) => folderOf(from) === folder && isOurs(to) && ![folder, ...others].includes(folderOf(to)),
      );
      assert.deepEqual(wrong.map(show), []);
    });
  }

  it('config imports only types, the kernel and the parsers of purposes, apps and the brand from the domain', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        folderOf(from) === 'config' &&
        isOurs(to) &&
        !['config', 'kernel', 'adapters'].includes(folderOf(to)) &&
        ![
          'src/files/purpose.ts',
          'src/apps/clients/parse-apps.ts',
          'src/brand/brand.ts',
          'src/brand/parse-brand.ts',
        ].includes(to) &&
        !isType,
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('config imports only the provider registry from adapters', () => {
    const wrong = imports.filter(
      ({ from, to }) => folderOf(from) === 'config' && folderOf(to) === 'adapters' && to !== registry,
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('the provider registry loads no package: each provider imports its own when it is used', () => {
    const packages = [...loadedWith(registry)].filter((target) => !isOurs(target) && !target.startsWith('node:'));
    assert.deepEqual(packages, []);
  });

  it('store operations name the columns that they select, so that a newer version can add columns while an older node runs', () => {
    const wrong = files.filter(
      (file) => file.startsWith('src/store/operations/') && /select \*|selectAll/.test(texts.get(file) ?? ''),
    );
    assert.deepEqual(wrong, []);
  });

  it('the domain imports neither node:http nor a database driver, and reads neither the environment nor the clock', () => {
    const inDomain = (file: string) => domain.includes(folderOf(file));
    const wrong = imports.filter(({ from, to }) => inDomain(from) && (to === 'node:http' || drivers.includes(to)));
    assert.deepEqual(wrong.map(show), []);
    const impure = files.filter(
      (file) =>
        inDomain(file) && file !== 'src/kernel/clock.ts' && /process\.env|Date\.now|new Date\(\)/.test(textOf(file)),
    );
    assert.deepEqual(impure, []);
  });

  it('the domain names nothing of the engine: what makes it faster belongs to the kernel, the store or http', () => {
    const folders = ['auth', 'messages', 'files', 'abuse', 'apps', 'backend', 'support', 'brand', 'backup'];
    const engine =
      /\bV8\b|flatText|\bflat text|in one piece|hidden class|fast path|\bde-?opt|megamorphic|inline cache|share its memory/i;
    const wrong = files.filter((file) => folders.includes(folderOf(file)) && engine.test(texts.get(file) ?? ''));
    assert.deepEqual(wrong, []);
  });

  it('only the store imports database drivers', () => {
    const wrong = imports.filter(({ from, to }) => drivers.includes(to) && !from.startsWith('src/store/'));
    assert.deepEqual(wrong.map(show), []);
  });

  it('only service and commands import adapters and the store, apart from the provider registry in config', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!['adapters', 'store'].includes(folderOf(to)) || folderOf(from) === folderOf(to) || isComposer(from))
        return false;
      if (folderOf(from) === 'config' && to === registry) return false;
      return !(folderOf(from) === 'commands' && /^src\/store\/(open-store|ports)\.ts$/.test(to));
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('only service and commands import config', () => {
    const mayRead = (file: string) => isComposer(file) || ['config', 'commands'].includes(folderOf(file));
    const wrong = imports.filter(({ from, to }) => folderOf(to) === 'config' && !mayRead(from));
    assert.deepEqual(wrong.map(show), []);
  });

  it('only commands import a command, and nothing imports main.ts', () => {
    const wrong = imports.filter(
      ({ from, to }) => (folderOf(to) === 'commands' && folderOf(from) !== 'commands') || to === 'src/commands/main.ts',
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('the client imports only itself, and Node modules only in its testing helper', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        folderOf(from) === 'client' &&
        folderOf(to) !== 'client' &&
        !(from === 'client/src/testing.ts' && to.startsWith('node:')),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('the React package imports only itself, React and the client as a package', () => {
    const packages = ['react', '@gatehouse/client', '@gatehouse/client/element'];
    const wrong = imports.filter(
      ({ from, to }) => folderOf(from) === 'react' && folderOf(to) !== 'react' && !packages.includes(to),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('media imports only itself and Node', () => {
    const wrong = imports.filter(
      ({ from, to }) => folderOf(from) === 'media' && folderOf(to) !== 'media' && !to.startsWith('node:'),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('the service imports only the modules that the media package exports, by a name of its own', () => {
    const { './package.json': _, ...shown } = mediaExports;
    assert.deepEqual(readPackage('package.json').imports, { '#media/*': './media/src/*.ts' });
    assert.deepEqual(imports.filter(({ to }) => to.startsWith('#')).map(show), []);
    for (const [name, { types, default: file }] of Object.entries(shown)) {
      assert.equal(types, file);
      assert.equal(file, `./src${name.slice(1)}.ts`);
      assert.ok(texts.has(join('media', file)), name);
    }
    const paths = /from '[^'#]*\bmedia\/src\/|import\('[^'#]*\bmedia\/src\//;
    assert.deepEqual(
      files.filter((file) => paths.test(textOf(file))),
      [],
    );
  });

  it('only the kernel imports the locales: the list of languages, and apart from it their texts', () => {
    const readers = imports.filter(
      ({ from, to }) => folderOf(to) === 'locales' && !['locales', 'web'].includes(folderOf(from)),
    );
    assert.deepEqual(readers.map(show).toSorted(), [
      'src/kernel/text/language.ts imports locales/traits.ts',
      'src/kernel/text/texts.ts imports locales/languages.ts',
    ]);
  });

  it('only threads that write to users load the texts', () => {
    for (const thread of [
      'store/sqlite/sqlite-thread',
      'adapters/examiner/examiner-thread',
      'adapters/disk/writer-thread',
    ])
      assert.equal(loadedWith(`src/${thread}.ts`).has('locales/languages.ts'), false, thread);
    assert.ok(loadedWith('src/service/delivery-thread.ts').has('locales/languages.ts'));
  });

  it('the web pages import only the client, and the locales as types only', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        folderOf(from) === 'web' &&
        isOurs(to) &&
        !['web', 'client'].includes(folderOf(to)) &&
        !(folderOf(to) === 'locales' && isType),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('nothing imports the documentation site: it is a step of the build', () => {
    const wrong = imports.filter(({ from, to }) => folderOf(to) === 'site' && folderOf(from) !== 'site');
    assert.deepEqual(wrong.map(show), []);
  });

  it('the documentation site imports http, the kernel and the list of apps, and types of other folders', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        folderOf(from) === 'site' &&
        isOurs(to) &&
        !['site', 'http', 'kernel'].includes(folderOf(to)) &&
        to !== 'src/apps/clients/app.ts' &&
        !isType,
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('what the documentation site loads in a browser imports only its own files, and the styles of the pages', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('scripts/site/browser/') &&
        to !== 'minisearch' &&
        !/^(?:scripts\/site\/browser\/[\w-]+\.(?:ts|css)|web\/style\/[\w-]+\.css)$/.test(to),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('only load-config.ts reads the environment, and the two files that colour a terminal', () => {
    const readers = files.filter((file) => folderOf(file) !== 'client' && textOf(file).includes('process.env'));
    const colouring = ['src/service/choose-log.ts', 'src/commands/terminal.ts'];
    assert.deepEqual(readers.toSorted(), ['src/commands/load-config.ts', ...colouring].toSorted());
  });

  it('the sources take no named export of a package from a dynamic import, because the bundle loses those of CommonJS packages', () => {
    const taken = /\{[^{}]*\} = await import\(\s*'(?!\.|node:)/;
    assert.deepEqual(
      files.filter((file) => file.startsWith('src/') && taken.test(textOf(file))),
      [],
    );
  });

  it('there are no circular imports, types included', () => {
    assert.deepEqual(findCircles(imports.filter(({ to }) => isOurs(to))), []);
  });

  it('there are no circles between the folders of the service and the packages', () => {
    const between = imports
      .filter(({ from, to }) => isOurs(to) && folderOf(from) !== folderOf(to))
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
    assert.ok(between.some(({ from, to }) => from === 'http' && to === 'auth'));
    assert.deepEqual(findCircles(between), []);
  });
});

describe('examples', () => {
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:[jt]sx?|css)$/.test(path) && !/(?:^|\/)(?:node_modules|data|dist)\//.test(path),
  );
  const read = (path: string) => readFileSync(join(root, 'examples', path), 'utf8');

  /** Without a package.json: the client alone. */
  const packagesOf = (path: string): readonly string[] => {
    const file = join(root, 'examples', path.split('/')[0] ?? '', 'package.json');
    if (!existsSync(file)) return ['@gatehouse/client'];
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as Packages;
    return [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  };
  const isNamed = (path: string, to: string) =>
    packagesOf(path).some((name) => to === name || to.startsWith(`${name}/`));

  it('an app imports its own files, Node and the packages that it names; only its start reaches into the project', () => {
    const apps = examples.filter((path) => !/^(?:[\w-]+\/)?start(?:\.ts$|\/)/.test(path));
    assert.ok(apps.includes('notes/back-end/server.ts'));
    const foreign = apps.flatMap((path) =>
      [...read(path).matchAll(/(?:from|import\(|^import) ?'([^']+)'/gm)]
        .map(([, to = '']) => (to.startsWith('.') ? join(dirname(path), to) : to))
        // A page finds the browser build of the client at this path of its server.
        .map((to) => to.replace(/^\/client\//, '@gatehouse/client/'))
        .filter((to) => !to.startsWith('node:') && !apps.includes(to) && !isNamed(path, to))
        .map((to) => `${path} → ${to}`),
    );
    assert.deepEqual(foreign, []);
  });

  it('every file of the examples says what it is for and has at most 250 lines', () => {
    assert.ok(examples.includes('notes/start.ts'));
    const wrong = examples.filter((path) => {
      const lines = read(path).trimEnd().split('\n');
      return !/^(\/\/|\/\*) [^a-z].*[.:]( \*\/)?$/.test(lines[0] ?? '') || lines.length > 250;
    });
    assert.deepEqual(wrong, []);
  });
});

describe('source files', () => {
  it('every source file begins with a sentence on its purpose', () => {
    const silent = files.filter((file) => {
      const [first = '', second = ''] = textOf(file).split('\n');
      return !/^\/\/ [^a-z].*[.:]$/.test(first.startsWith('#!') ? second : first);
    });
    assert.deepEqual(silent, []);
  });

  it('every source file has at most 250 lines', () => {
    // A generated file grows with the tables that it is written from.
    const written = files.filter((file) => !/Generated by `npm run docs`/.test(textOf(file).split('\n')[0] ?? ''));
    const long = written.map((file) => [file, textOf(file).trimEnd().split('\n').length] as const);
    assert.deepEqual(
      long.filter(([, count]) => count > 250),
      [],
    );
  });

  it('no folder of src has more than 25 files directly in it, and no subject of auth, files, operations or routes more than 20', () => {
    const bySubject = /^src\/(?:auth|files|store\/operations|http\/routes)\//;
    const folders = Map.groupBy(
      files.filter((file) => file.startsWith('src/')),
      dirname,
    );
    const full = [...folders].filter(([folder, { length }]) => length > (bySubject.test(folder) ? 20 : 25));
    assert.deepEqual(
      full.map(([folder, { length }]) => `${folder}: ${length}`),
      [],
    );
  });

  it('no source file is a barrel, re-exports anything or has a default export', () => {
    const wrong = files.filter(
      (file) => /(^|\/)index\.ts$/.test(file) || /^export (\*|default|\{[^}]*\} from)/m.test(textOf(file)),
    );
    assert.deepEqual(wrong, []);
  });

  it('every source file has a kebab-case name that is not a catch-all such as utils', () => {
    const odd = files.filter(
      (file) =>
        !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.tsx?$/.test(file) || /\/(utils?|helpers?|common|types)\.ts$/.test(file),
    );
    assert.deepEqual(odd, []);
  });
});

function readImports(from: string): Import[] {
  const text = textOf(from).replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?\sfrom\s+'([^']+)'/gm),
    ...text.matchAll(/^import\s+()'([^']+)'/gm),
    ...text.matchAll(/\bimport\(()\s*'([^']+)'\s*\)/g),
    ...text.matchAll(/new URL\(()'(\.[^']+\.ts)', import\.meta\.url\)/g),
  ];
  return found.map(([statement, type, to = '']) => ({
    from,
    to: to.startsWith('.') ? normalize(join(dirname(from), to)) : normalize(mediaNames[to] ?? to),
    isType: type?.startsWith('type') === true || isAllTypes(statement),
    isLazy: !/^(import|export)\s/.test(statement),
  }));
}

/** `import { type A, type B } from`. */
function isAllTypes(statement: string): boolean {
  const names =
    /\{([^}]*)\}/
      .exec(statement)?.[1]
      ?.split(',')
      .filter((name) => name.trim() !== '') ?? [];
  return names.length > 0 && names.every((name) => name.trim().startsWith('type '));
}

/** Everything that is loaded eagerly with a file, including the file and packages. */
function loadedWith(file: string, loaded: Set<string> = new Set()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { from, to, isType, isLazy } of imports) {
    if (from === file && !isType && !isLazy) loadedWith(to, loaded);
  }
  return loaded;
}

function findCircles(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const circles = new Set<string>();
  const visit = (place: string, path: readonly string[]) => {
    if (path.includes(place)) circles.add([...path.slice(path.indexOf(place)), place].join(' -> '));
    if (path.includes(place) || done.has(place)) return;
    for (const { to } of targets.get(place) ?? []) visit(to, [...path, place]);
    done.add(place);
  };
  for (const from of targets.keys()) visit(from, []);
  return [...circles];
}

function folderOf(file: string): string {
  if (file.startsWith('client/src/')) return 'client';
  if (file.startsWith('react/src/')) return 'react';
  if (file.startsWith('media/src/')) return 'media';
  if (file.startsWith('web/')) return 'web';
  if (file.startsWith('scripts/site/')) return 'site';
  if (file.startsWith('locales/')) return 'locales';
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function isOurs(target: string): boolean {
  return /^(((client|react|media)\/)?src|web|scripts\/site|locales)\/.*\.(tsx?|json)$/.test(target);
}

function isComposer(file: string): boolean {
  return folderOf(file) === 'service';
}

function textOf(file: string): string {
  return texts.get(file) ?? '';
}

function show({ from, to }: Import): string {
  return `${from} imports ${to}`;
}
