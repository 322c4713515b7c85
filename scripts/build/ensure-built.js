// Builds dist/ before a start if it is missing or stale. The build runs in its own process: the service never loads a bundler.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBuild, root } from './find-build.js';

/** Returns the URL of the program. If the build fails, it has printed the error, and the process exits with 1. */
export async function ensureBuilt() {
  let found = findBuild();
  if (!found.isBuilt) {
    // The build prints to stderr: stdout belongs to the command.
    const build = spawn(process.execPath, [join(root, 'scripts/build/build.ts')], { stdio: ['ignore', 2, 2] });
    const [code] = await once(build, 'exit');
    if (code !== 0) process.exit(1);
    found = findBuild();
    if (!found.isBuilt) throw new Error('The sources changed after the build. Start again.');
  }
  return pathToFileURL(join(found.folder, 'main.js')).href;
}
