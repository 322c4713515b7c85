// Finds the settings of a command: the environment, a named file, the systemd unit that runs this program, and .env.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { parseEnvFile } from '../config/env-file.ts';
import type { Env, Problem } from '../config/env-reader.ts';
import { isPathSetting } from '../config/known-names.ts';
import { parseUnit, type ServiceUnit } from '../config/unit-file.ts';
import { projectFile } from '../kernel/process/program-files.ts';
import { warnOfFile } from './dot-env-lines.ts';
import { readSettingsFile, UnusableFile } from './settings-file.ts';

export type FoundSettings = {
  readonly env: Env;
  /** Which file, and for a file of settings which line, has set a name that the environment does not set. */
  readonly origins: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
};

export type SettingPlaces = {
  /** Undefined if there is no such file. Throws if it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  readonly listNames: (folder: string) => readonly string[];
  /** Follows links. The path itself if nothing is there. */
  readonly realPath: (path: string) => string;
  /** The folder of this program. */
  readonly root: string;
};

type Request = { readonly env: Env; readonly envFile?: string | undefined; readonly isService: boolean };

type Found = { readonly name: string; readonly value: string; readonly origin: string };

type Source = {
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly files: readonly string[];
};

const nothing: Source = { found: [], problems: [], warnings: [], files: [] };
const unitName = 'gatehouse.service';
const unitFolders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** These say where the data of a service is. An environment with one of them has been set up for a service. */
const placeNames = ['PUBLIC_URL', 'SECRET', 'SECRET_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR'];

/**
 * The environment overrides every file. A named file is the only one, with the unit that it belongs to. Otherwise a command has the settings of the unit that runs
 * this program, and of .env in its folder, unless the environment says where the data is. The service itself gets them from systemd. Without a unit, .env of the
 * current folder counts. Beside one it may be a stranger's.
 */
export function findSettings({ env, envFile, isService }: Request, places: SettingPlaces = realPlaces): FoundSettings {
  const isSetUp = placeNames.some((name) => (env[name] ?? '').trim() !== '');
  const sources =
    envFile === undefined
      ? isService || isSetUp
        ? [readDotEnv('.env', places)]
        : readUnit(places)
      : readNamedFile(envFile, places);
  const merged: Record<string, string | undefined> = { ...env };
  const origins: Record<string, string> = {};
  for (const { name, value, origin } of sources.flatMap(({ found }) => found)) {
    if (merged[name] !== undefined) continue;
    merged[name] = value;
    origins[name] = origin;
  }
  return {
    env: merged,
    origins,
    problems: sources.flatMap(({ problems }) => problems),
    warnings: sources.flatMap(({ warnings }) => warnings),
    files: sources.flatMap(({ files }) => files),
  };
}

function readDotEnv(path: string, { readText }: SettingPlaces): Source {
  let text: string | undefined;
  try {
    text = readText(path);
  } catch (error) {
    return { ...nothing, problems: [describeUnreadable(path, error, 'check the file and its permissions')] };
  }
  if (text === undefined) return nothing;
  const found = Object.entries(parseEnv(text)).map(([name, value = '']) => ({ name, value, origin: path }));
  return { ...nothing, found, warnings: warnOfFile(text), files: found.length > 0 ? [path] : [] };
}

const nameFile = 'name the file with the settings of the service: --env-file FILE';
const beRoot = 'run the command as root, who may read it, or name another file with --env-file FILE';

function readFile(path: string, { readText }: SettingPlaces, cure: string): Source {
  let text: string | undefined;
  try {
    text = readText(path);
  } catch (error) {
    return { ...nothing, problems: [describeUnreadable(path, error, cure)] };
  }
  if (text === undefined) return { ...nothing, problems: [{ name: path, trouble: 'does not exist', cure }] };
  const { settings, problems } = parseEnvFile(text);
  return {
    found: Object.entries(settings).map(([name, { value, line }]) => ({ name, value, origin: `${path}:${line}` })),
    problems: problems.map(({ line, ...problem }) => ({ name: `Line ${line} of ${path}`, ...problem })),
    warnings: [],
    files: [path],
  };
}

function describeUnreadable(path: string, error: unknown, cure: string): Problem {
  if (error instanceof UnusableFile) return { name: path, trouble: error.message, cure: error.cure };
  const { code = '' } = error as NodeJS.ErrnoException;
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const trouble = isForbidden ? 'has the settings, and this user may not read it' : `cannot be read (${code})`;
  return { name: path, trouble, cure: isForbidden ? beRoot : cure };
}

function readUnit(places: SettingPlaces): Source[] {
  const units = listUnits(places);
  const own = units.find(({ unit }) => runsThis(unit, places));
  if (own === undefined)
    return [
      { ...nothing, warnings: units.slice(0, 1).flatMap((other) => warnOfOther(other, places)) },
      readDotEnv('.env', places),
    ];
  const files = own.unit.files
    .toReversed()
    .filter((file) => !(file.isOptional && readsNothing(file.path, places)))
    .map((file) => readFile(file.path, places, `write the settings into it, as ${own.path} says`));
  const { workingDirectory } = own.unit;
  const dotEnv = workingDirectory === undefined ? [] : [readDotEnv(join(workingDirectory, '.env'), places)];
  return placeInFolder([...files, readEnvironment(own), ...dotEnv], own);
}

/** The file alone would lack what stands in the unit, such as DATA_DIR. */
function readNamedFile(envFile: string, places: SettingPlaces): Source[] {
  const file = refuseEmpty(envFile, readFile(envFile, places, nameFile));
  const named = places.realPath(resolve(envFile));
  const owner = listUnits(places).find(({ unit }) => unit.files.some(({ path }) => places.realPath(path) === named));
  return owner === undefined ? [file] : placeInFolder([file, readEnvironment(owner)], owner);
}

/** A named file must have settings. Without any, the command would run on other data: a pipe is empty if its command failed. */
function refuseEmpty(path: string, source: Source): Source {
  if (source.found.length > 0 || source.problems.length > 0) return source;
  return { ...source, problems: [{ name: path, trouble: 'sets nothing', cure: nameFile }] };
}

/** A relative path means the folder that the service runs in, not that of the command. So does DATA_DIR where nothing sets it. */
function placeInFolder(sources: readonly Source[], { path, unit }: LocatedUnit): Source[] {
  const { workingDirectory } = unit;
  if (workingDirectory === undefined) return [...sources];
  const placed = sources.map((source) => ({
    ...source,
    found: source.found.map((one) =>
      isPathSetting(one.name) && one.value.trim() !== ''
        ? { ...one, value: resolve(workingDirectory, one.value.trim()) }
        : one,
    ),
  }));
  const names = placed.flatMap(({ found }) => found.map(({ name }) => name));
  const dataDir = { name: 'DATA_DIR', value: join(workingDirectory, 'data'), origin: path };
  return names.includes('DATA_DIR') ? placed : [...placed, { ...nothing, found: [dataDir] }];
}

function readEnvironment({ path, unit }: LocatedUnit): Source {
  const found = Object.entries(unit.environment).map(([name, value]) => ({ name, value, origin: path }));
  return { ...nothing, found, files: found.length > 0 ? [path] : [] };
}

type LocatedUnit = { readonly path: string; readonly unit: ServiceUnit };

/** The unit that is installed, and that of this program, which says where its settings would be if it were installed. */
function listUnits(places: SettingPlaces): LocatedUnit[] {
  const dropIns = unitFolders
    .map((folder) => join(folder, `${unitName}.d`))
    .flatMap((folder) => places.listNames(folder).map((name) => ({ name, path: join(folder, name) })))
    .filter(({ name }) => name.endsWith('.conf'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const readAll = (paths: readonly string[]) => parseUnit(paths.map((path) => places.readText(path) ?? ''));
  const installed = unitFolders.map((folder) => join(folder, unitName)).find((path) => !readsNothing(path, places));
  const delivered = join(places.root, 'deploy', unitName);
  return [
    ...(installed === undefined
      ? []
      : [{ path: installed, unit: readAll([installed, ...dropIns.map(({ path }) => path)]) }]),
    ...(readsNothing(delivered, places) ? [] : [{ path: delivered, unit: readAll([delivered]) }]),
  ];
}

function runsThis({ words }: ServiceUnit, { root, realPath }: SettingPlaces): boolean {
  const programs = ['dist/gatehouse.js', 'src/gatehouse.js', 'src/commands/main.ts'].map((file) =>
    realPath(join(root, file)),
  );
  return words.some((word) => programs.includes(realPath(word)));
}

/** A service runs on this machine, and this is another copy of the program: its commands have other data. */
function warnOfOther({ path, unit }: LocatedUnit, places: SettingPlaces): string[] {
  return unit.files
    .filter((file) => !readsNothing(file.path, places))
    .map(
      (file) =>
        `${file.path} has the settings of the service that ${path} runs. This command does not read it: run the command of that service, or add --env-file ${file.path}.`,
    );
}

function readsNothing(path: string, { readText }: SettingPlaces): boolean {
  try {
    return readText(path) === undefined;
  } catch {
    return false;
  }
}

const realPlaces: SettingPlaces = {
  readText: readSettingsFile,
  listNames: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  realPath: (path) => (existsSync(path) ? realpathSync(path) : path),
  root: fileURLToPath(projectFile('')),
};
