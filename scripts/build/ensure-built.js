// Builds dist/ before a start if it is missing or stale. The build runs in its own process: the service never loads a bundler.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBuild, restoreCommand, root } from './find-build.js';

const endSignals = /** @type {const} */ (['SIGTERM', 'SIGINT']);

/** Returns the URL of the program. If the build fails, it has printed the error, and the process exits with 1. */
export async function ensureBuilt() {
  let found = findBuild();
  if (found.isBuilt) {
    tryToRestoreCommand();
  } else {
    await runBuild();
    found = findBuild();
    if (!found.isBuilt) throw new Error('The sources changed after the build. Start again.');
  }
  return pathToFileURL(join(found.folder, 'main.js')).href;
}

/** A signal to this process ends the build, too. */
async function runBuild() {
  // The build prints to stderr: stdout belongs to the command.
  const build = spawn(process.execPath, [join(root, 'scripts/build/build.ts')], { stdio: ['ignore', 2, 2] });
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    received ??= signal;
    build.kill(signal);
  };
  for (const signal of endSignals) process.on(signal, passOn);
  const [code, signal] = await once(build, 'exit');
  for (const each of endSignals) process.off(each, passOn);
  if (received !== undefined) {
    process.stderr.write('stopped.\n');
    process.exit(128 + constants.signals[received]);
  }
  if (signal !== null) process.stderr.write(`\nThe build was ended by ${signal}. Start again.\n`);
  if (code !== 0) process.exit(1);
}

/** This start does not need the file, and dist/ may be read-only. */
function tryToRestoreCommand() {
  try {
    restoreCommand();
  } catch {}
}
