// The first steps of every process: it checks the Node version, follows its parent and turns on the compile cache.
import module from 'node:module';
import { stopWithParent } from './stop-with-parent.js';

/** Node also writes the cache when the process exits, but not when the process is killed. */
const writeCacheAfterMilliseconds = 700;
const neededVersion = 26;

export function beginProcess() {
  if (Number.parseInt(process.versions.node, 10) < neededVersion) {
    process.stderr.write(
      `Gatehouse needs Node ${neededVersion}, and this is Node ${process.versions.node}. npm ci installs the right version in the project, unless it omits optional packages: run npm start, or npx gatehouse.\n`,
    );
    process.exit(1);
  }
  stopWithParent();
  module.enableCompileCache();
  setTimeout(module.flushCompileCache, writeCacheAfterMilliseconds).unref();
}
