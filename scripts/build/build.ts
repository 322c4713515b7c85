// Builds the program and the web pages into dist/ unless dist/ has a build of these sources. Prints one line, or the error.
import {
  chmodSync,
  closeSync,
  copyFileSync,
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
import { join } from 'node:path';
import { dist, draftPrefix, findBuild, newDraft, root, writeCurrent } from './find-build.js';

const mostAttempts = 3;
/** Old builds are kept, because a running service may still load chunks of one. */
const keptBuilds = 4;
/** A draft of this age is left over from a build that was killed. */
const oldDraftMilliseconds = 10 * 60_000;

/** An error that the reader can fix. The message says how. */
class BuildError extends Error {}

const found = findBuild();
if (found.isBuilt) {
  console.error(`dist/ is up to date (${found.build}).`);
} else {
  const startedAt = performance.now();
  process.stderr.write(`Building dist/ (${found.isFirst ? 'no build yet' : 'sources changed'}) … `);
  try {
    await buildAll();
    console.error(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(`failed.\n${explain(error)}`);
    process.exitCode = 1;
  }
}

async function buildAll(): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const { build, stats, folder } = findBuild();
    const draft = newDraft();
    mkdirSync(draft, { recursive: true });
    try {
      await buildInto(draft);
      // If the sources changed during the build, the result may be a mixture.
      if (findBuild().build !== build) continue;
      moveTo(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    copyCommand();
    writeCurrent({ build, stats });
    removeOldBuilds(build);
    return;
  }
  throw new BuildError(
    'The sources kept changing during the build. Wait until they stop changing, then run npm run build.',
  );
}

async function buildInto(draft: string): Promise<void> {
  const { buildProgram, buildPages } = await loadBuilders();
  const [pages] = await Promise.all([buildPages(root), buildProgram(root, draft)]);
  writeFileSync(join(draft, 'pages.json'), JSON.stringify(pages));
  syncAll(draft);
}

async function loadBuilders() {
  try {
    return { ...(await import('./build-program.ts')), ...(await import('./build-pages.ts')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new BuildError(
      `A package that the build needs is not installed. Run npm ci && npm run build. (${(error as Error).message})`,
    );
  }
}

/** The command of a built installation. */
function copyCommand(): void {
  const draft = newDraft();
  copyFileSync(join(root, 'scripts/build/run-built.js'), draft);
  chmodSync(draft, 0o755);
  renameSync(draft, join(dist, 'gatehouse.js'));
}

/** After a power cut, a folder with its final name must have complete files. */
function syncAll(folder: string): void {
  for (const name of readdirSync(folder)) {
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
  }
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
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  if (errors !== undefined) return `${message}\nCorrect the sources, then start again.`;
  if (['EACCES', 'EPERM', 'EROFS'].includes(code ?? ''))
    return `dist/ cannot be written (${message}). Run npm run build as the owner of ${root}.`;
  if (code === 'ENOSPC') return `The disk is full (${message}). Free some space, then start again.`;
  return error instanceof Error ? (error.stack ?? message) : String(error);
}
