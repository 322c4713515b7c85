// Builds the program and the web pages into dist/ unless dist/ has a build of these sources. Prints one line, or the error.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  dist,
  draftPrefix,
  findBuild,
  isComplete,
  manifestFile,
  newDraft,
  restoreCommand,
  root,
  writeCurrent,
} from './find-build.js';

const mostAttempts = 3;
/** Old builds are kept, because a running service may still load chunks of one. */
const keptBuilds = 4;
/** A draft of this age is left over from a build that was killed. */
const oldDraftMilliseconds = 10 * 60_000;
const noSpace = /no space left on device|not enough space on the disk|disk quota exceeded/i;
const bundlerEnded = /^The service (?:was stopped|is no longer running)/;

const endedBundler = 'The process of the bundler was ended, for example because memory was short. Start again.';

/** An error that the reader can fix. The message says how. */
class BuildError extends Error {}

let stopBundler = (): void => undefined;
let removeDraft = (): void => undefined;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    stopBundler();
    removeDraft();
    // The handler is gone, so the signal ends this process and the parent sees which one it was.
    process.kill(process.pid, signal);
  });

let isOver = false;
// A bundler that is killed while it starts never answers, and then nothing is left to wait for.
process.once('exit', () => {
  if (isOver) return;
  console.error(`failed.\n${endedBundler}`);
  process.exitCode = 1;
});

const found = findBuild();
const startedAt = performance.now();
if (!found.isBuilt) process.stderr.write(`Building dist/ (${found.reason}) … `);
try {
  if (!found.isBuilt) await buildAll();
  restoreCommand();
  if (found.isBuilt) console.error(`dist/ is up to date (${found.build}).`);
  else console.error(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`${found.isBuilt ? '' : 'failed.\n'}${explain(error)}`);
  process.exitCode = 1;
}
isOver = true;

async function buildAll(): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { build, stats, folder } = findBuild();
    const draft = newDraft();
    removeDraft = () => rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    try {
      await buildInto(draft);
      // If the sources changed during the build, the result may be a mixture.
      if (findBuild().build !== build) continue;
      moveTo(draft, folder);
    } finally {
      removeDraft();
    }
    writeCurrent({ build, stats });
    removeOldBuilds(build);
    return;
  }
  throw new BuildError(
    'The sources kept changing during the build. Wait until they stop changing, then run npm run build.',
  );
}

async function buildInto(draft: string): Promise<void> {
  const { buildProgram, buildPages, buildSite, writeSite, ...builders } = await loadBuilders();
  stopBundler = builders.stopBundler;
  const [pages, site] = await Promise.all([buildPages(root), buildSite(root), buildProgram(root, draft)]);
  writeFileSync(join(draft, 'pages.json'), JSON.stringify(pages));
  writeSite(join(draft, 'docs'), site);
  const sizes = filesOf(draft).map((name) => [name, statSync(join(draft, name)).size] as const);
  writeFileSync(join(draft, manifestFile), JSON.stringify(Object.fromEntries(sizes)));
  syncAll(draft);
}

async function loadBuilders() {
  try {
    return {
      ...(await import('./build-program.ts')),
      ...(await import('./build-pages.ts')),
      ...(await import('../site/build-site.ts')),
      ...(await import('../site/site-file.ts')),
    };
  } catch (error) {
    const { code, message, url } = error as NodeJS.ErrnoException & { readonly url?: string };
    // The builders read texts and routes themselves, before the bundler sees them.
    const isOwn = error instanceof SyntaxError ? message.includes(root) : url?.includes('/node_modules/') === false;
    if (isOwn) throw new BuildError(`${message}\nCorrect or restore the sources, then start again.`);
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new BuildError(`A package that the build needs is not installed. Run npm ci && npm run build. (${message})`);
  }
}

/** After a power cut, a folder with its final name must have complete files. */
function syncAll(folder: string): void {
  for (const name of filesOf(folder)) {
    const file = openSync(join(folder, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/** Atomic, because several processes may build at once. The second one finds the folder. */
function moveTo(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    if (!isComplete(folder)) repair(folder, draft);
  }
}

/** The folder stays in place, because a service may be running from it. */
function repair(folder: string, draft: string): void {
  for (const name of filesOf(draft)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    renameSync(join(draft, name), join(folder, name));
  }
}

/** With their paths in the folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function removeOldBuilds(current: string): void {
  const entries = readdirSync(dist, { withFileTypes: true })
    .map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      changed: statSync(join(dist, entry.name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((one, other) => other.changed - one.changed);
  const builds = entries.filter(({ name, isFolder }) => isFolder && /^[0-9a-f]{16}$/.test(name) && name !== current);
  const drafts = entries.filter(
    ({ name, changed }) => name.startsWith(draftPrefix) && Date.now() - changed > oldDraftMilliseconds,
  );
  for (const { name } of [...builds.slice(keptBuilds - 1), ...drafts])
    rmSync(join(dist, name), { recursive: true, force: true });
}

function explain(error: unknown): string {
  if (error instanceof BuildError) return error.message;
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: readonly { text: string }[] };
  // The bundler writes files itself and reports the text of the system without a code, once per file.
  const full = code === 'ENOSPC' ? message : errors?.find(({ text }) => noSpace.test(text))?.text;
  if (full !== undefined) return `There is no space left in ${dist} (${full}). Free some space, then start again.`;
  if (bundlerEnded.test(message) || errors?.some(({ text }) => bundlerEnded.test(text))) return endedBundler;
  if (errors !== undefined) return `${message}\nCorrect the sources, then start again.`;
  if (['EACCES', 'EPERM', 'EROFS'].includes(code ?? ''))
    return `dist/ cannot be written (${message}). Run npm run build as the owner of ${root}.`;
  return error instanceof Error ? (error.stack ?? message) : String(error);
}
