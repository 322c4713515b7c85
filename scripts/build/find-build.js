// Finds the build of the current sources in dist/. Every start runs this, so it is plain JavaScript and fast.
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = join(root, 'dist');

/** The source folders of a build. A build that reads a project file outside them fails. */
export const sources = ['src', 'web', 'client/src', 'media/src', 'locales', 'scripts/build', 'scripts/site'];
/** Documents that the build renders as pages. A copy of the sources may lack them. */
export const documents = ['docs', 'client/README.md', 'examples/README.md'];
const lock = 'package-lock.json';
/** The list of installed packages that npm writes. */
const installed = 'node_modules/.package-lock.json';
export const draftPrefix = '.draft-';
const currentFile = join(dist, 'current.json');
/** Names and sizes of all other files of a build folder. */
export const manifestFile = 'files.json';
/** The command of a built installation, and its source. */
const command = join(dist, 'gatehouse.js');
const commandSource = join(root, 'scripts/build/run-built.js');

/**
 * `build` is a hash of the contents of the sources. `stats` is a hash of their file system metadata. A file cannot change without its
 * change time, so equal `stats` make it unnecessary to read the contents.
 *
 * @typedef {{ readonly build: string, readonly stats: string }} Current
 */

/** @returns {Current & { folder: string, isBuilt: boolean, reason: string }} `reason` says why a build is necessary. */
export function findBuild() {
  const known = readCurrent();
  const files = listSources();
  const stats = hashStats(files);
  const build = known?.stats === stats ? known.build : hashContents(files);
  const folder = join(dist, build);
  const isBuilt = isComplete(folder);
  if (isBuilt && known?.stats !== stats) tryToWriteCurrent({ build, stats });
  const staleReason = known === undefined ? 'no build yet' : 'sources changed';
  const reason = !isBuilt && existsSync(folder) ? 'the build is incomplete' : staleReason;
  return { build, stats, folder, isBuilt, reason };
}

/**
 * A build folder appears with all its files, but a user or a cleaner may remove some. Sizes are enough: nothing edits these files.
 *
 * @param {string} folder
 */
export function isComplete(folder) {
  try {
    /** @type {[name: string, size: number][]} */
    const files = Object.entries(JSON.parse(readFileSync(join(folder, manifestFile), 'utf8')));
    return files.every(([name, size]) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === size);
  } catch {
    return false;
  }
}

/** Writes dist/gatehouse.js if it is missing or different. */
export function restoreCommand() {
  const content = readFileSync(commandSource, 'utf8');
  if (!existsSync(command) || readFileSync(command, 'utf8') !== content) replaceFile(command, content, 0o755);
}

/** A temporary path. A build removes old drafts that killed processes have left. */
export function newDraft() {
  return join(dist, `${draftPrefix}${randomUUID()}`);
}

/** @param {Current} current */
export function writeCurrent(current) {
  replaceFile(currentFile, `${JSON.stringify(current)}\n`);
}

/**
 * Atomic, because several processes may do it at once.
 *
 * @param {string} path
 * @param {string} content
 * @param {number} [mode]
 */
function replaceFile(path, content, mode) {
  const draft = newDraft();
  try {
    writeFileSync(draft, content);
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * If dist/ is read-only, the next start reads the sources again.
 *
 * @param {Current} current
 */
function tryToWriteCurrent(current) {
  try {
    writeCurrent(current);
  } catch {}
}

/** @returns {Current | undefined} */
function readCurrent() {
  try {
    const current = JSON.parse(readFileSync(currentFile, 'utf8'));
    return typeof current.build === 'string' ? current : undefined;
  } catch {
    return undefined;
  }
}

function listSources() {
  return [...sources, ...documents]
    .filter((source) => existsSync(join(root, source)))
    .flatMap((source) =>
      source.endsWith('.md')
        ? [source]
        : readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
            .filter((name) => /\.(?:[jt]sx?|css|json|md|svg|png)$/.test(name))
            .map((name) => `${source}/${name.replaceAll(sep, '/')}`),
    )
    .sort();
}

/** @param {readonly string[]} files */
function hashStats(files) {
  const hash = createHash('sha256');
  for (const file of [...files, lock, installed]) {
    const stat = statSync(join(root, file), { bigint: true, throwIfNoEntry: false });
    hash.update(`${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {readonly string[]} files */
function hashContents(files) {
  const hash = createHash('sha256');
  for (const file of [...files, lock]) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.update(listPackages()).digest('hex').slice(0, 16);
}

/** The installed production packages. Development packages may be removed after a build: the build stays valid. */
function listPackages() {
  if (!existsSync(join(root, installed))) return '';
  const locked = readLock(lock);
  return Object.entries(readLock(installed))
    .filter(([path]) => !locked[path]?.dev && !locked[path]?.devOptional)
    .map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`)
    .join('\n');
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, dev?: boolean, devOptional?: boolean }>}
 */
function readLock(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
}
