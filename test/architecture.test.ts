// Holds the rules of the house: which room may import which, no circles, and the shape of every source file.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

type Import = { readonly from: string; readonly to: string; readonly isType: boolean; readonly isLazy: boolean };

const root = new URL('../', import.meta.url).pathname;
const files = ['src', 'client/src', 'web', 'locales']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.tsx?$/.test(path))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const imports = files.flatMap(readImports);

const domain = ['kernel', 'media', 'abuse', 'messages', 'webhooks', 'auth', 'files', 'backup', 'support'];

/** What each room may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  locales: [],
  kernel: ['locales'],
  media: [],
  abuse: ['kernel'],
  messages: ['kernel'],
  webhooks: ['kernel'],
  auth: ['abuse', 'messages', 'kernel'],
  files: ['abuse', 'messages', 'media', 'kernel'],
  backup: ['files', 'kernel'],
  support: ['auth', 'files', 'messages', 'abuse', 'kernel'],
  http: domain,
  store: domain,
  adapters: domain,
  config: [...domain, 'adapters'],
  client: [],
};

/** The one file of adapters that the settings may read. */
const registry = 'src/adapters/providers.ts';

const drivers = ['pg', 'node:sqlite', 'better-sqlite3'];

describe('the rooms', () => {
  for (const [room, others] of Object.entries(mayImport)) {
    it(`lets ${room} import nothing of ours but ${['itself', ...others].join(', ')}`, () => {
      const wrong = imports.filter(
        ({ from, to }) => roomOf(from) === room && isOurs(to) && ![room, ...others].includes(roomOf(to)),
      );
      assert.deepEqual(wrong.map(show), []);
    });
  }

  it('lets config take nothing but types, the kernel and the reader of purposes from the domain', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        roomOf(from) === 'config' &&
        isOurs(to) &&
        !['config', 'kernel', 'adapters'].includes(roomOf(to)) &&
        to !== 'src/files/purpose.ts' &&
        !isType,
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets config take nothing from adapters but the registry of providers: what a provider needs in its URL, it knows itself', () => {
    const wrong = imports.filter(
      ({ from, to }) => roomOf(from) === 'config' && roomOf(to) === 'adapters' && to !== registry,
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('loads no library with the registry of providers: each provider imports its own when it is used', () => {
    const packages = [...loadedWith(registry)].filter((target) => !isOurs(target) && !target.startsWith('node:'));
    assert.deepEqual(packages, []);
  });

  it('names the columns that a statement reads, so that a later version may add some beside a node that runs', () => {
    const wrong = files.filter(
      (file) => file.startsWith('src/store/operations/') && /select \*|selectAll/.test(texts.get(file) ?? ''),
    );
    assert.deepEqual(wrong, []);
  });

  it('keeps Fastify, databases, the environment and the time of day out of the domain', () => {
    const inDomain = (file: string) => domain.includes(roomOf(file));
    const wrong = imports.filter(({ from, to }) => inDomain(from) && (to.includes('fastify') || drivers.includes(to)));
    assert.deepEqual(wrong.map(show), []);
    const impure = files.filter(
      (file) =>
        inDomain(file) && file !== 'src/kernel/clock.ts' && /process\.env|Date\.now|new Date\(\)/.test(textOf(file)),
    );
    assert.deepEqual(impure, []);
  });

  it('keeps Fastify in http, and databases in the store', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        (to === 'fastify' && roomOf(from) !== 'http' && !(isComposer(from) && isType)) ||
        (drivers.includes(to) && !from.startsWith('src/store/')),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets only app and commands import adapters and the store, and config the registry of providers', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!['adapters', 'store'].includes(roomOf(to)) || roomOf(from) === roomOf(to) || isComposer(from)) return false;
      if (roomOf(from) === 'config' && to === registry) return false;
      return !(roomOf(from) === 'commands' && /^src\/store\/(open-store|ports)\.ts$/.test(to));
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets only the composition, the program and its commands read the config', () => {
    const mayRead = (file: string) =>
      isComposer(file) || file === 'src/main.ts' || ['config', 'commands'].includes(roomOf(file));
    const wrong = imports.filter(({ from, to }) => roomOf(to) === 'config' && !mayRead(from));
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets nothing but the program and the commands import a command, and nothing import the program', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (roomOf(to) === 'commands' && roomOf(from) !== 'commands' && from !== 'src/main.ts') || to === 'src/main.ts',
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets the client import nothing but itself, and Node only where it starts a service for tests', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        roomOf(from) === 'client' &&
        roomOf(to) !== 'client' &&
        !(from === 'client/src/testing.ts' && to.startsWith('node:')),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets the kernel read the texts in one place, which everyone else asks', () => {
    const readers = imports.filter(
      ({ from, to }) => roomOf(to) === 'locales' && !['locales', 'web'].includes(roomOf(from)),
    );
    assert.deepEqual(readers.map(show), ['src/kernel/language.ts imports locales/languages.ts']);
  });

  it('lets the pages import nothing of ours but the client, and the texts as types, so that no page carries them', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        roomOf(from) === 'web' &&
        isOurs(to) &&
        !['web', 'client'].includes(roomOf(to)) &&
        !(roomOf(to) === 'locales' && isType),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => roomOf(file) !== 'client' && textOf(file).includes('process.env'));
    assert.deepEqual(readers, ['src/commands/load-config.ts']);
  });

  it('takes no named export of a package from a dynamic import, because the bundle loses those of CommonJS packages', () => {
    const taken = /\{[^{}]*\} = await import\(\s*'(?!\.|node:)/;
    assert.deepEqual(
      files.filter((file) => file.startsWith('src/') && taken.test(textOf(file))),
      [],
    );
  });

  it('has no circle of imports, types included', () => {
    assert.deepEqual(findCircles(), []);
  });
});

describe('every source file', () => {
  it('opens with a sentence on what it is for', () => {
    const silent = files.filter((file) => {
      const [first = '', second = ''] = textOf(file).split('\n');
      return !/^\/\/ [^a-z].*[.:]$/.test(first.startsWith('#!') ? second : first);
    });
    assert.deepEqual(silent, []);
  });

  it('has at most 250 lines', () => {
    const long = files.map((file) => [file, textOf(file).trimEnd().split('\n').length] as const);
    assert.deepEqual(
      long.filter(([, count]) => count > 250),
      [],
    );
  });

  it('is no barrel, re-exports nothing and exports nothing by default', () => {
    const wrong = files.filter(
      (file) => /(^|\/)index\.ts$/.test(file) || /^export (\*|default|\{[^}]*\} from)/m.test(textOf(file)),
    );
    assert.deepEqual(wrong, []);
  });

  it('has a name in kebab-case that says more than utils', () => {
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
    to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to,
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

/** What is loaded at once with a file, itself and packages included. */
function loadedWith(file: string, loaded: Set<string> = new Set()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { from, to, isType, isLazy } of imports) {
    if (from === file && !isType && !isLazy) loadedWith(to, loaded);
  }
  return loaded;
}

function findCircles(): string[] {
  const targets = Map.groupBy(
    imports.filter(({ to }) => isOurs(to)),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.add([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return [...circles];
}

function roomOf(file: string): string {
  if (file.startsWith('client/src/')) return 'client';
  if (file.startsWith('web/')) return 'web';
  if (file.startsWith('locales/')) return 'locales';
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function isOurs(target: string): boolean {
  return /^((client\/)?src|web|locales)\/.*\.(tsx?|json)$/.test(target);
}

function isComposer(file: string): boolean {
  return roomOf(file) === 'app';
}

function textOf(file: string): string {
  return texts.get(file) ?? '';
}

function show({ from, to }: Import): string {
  return `${from} imports ${to}`;
}
