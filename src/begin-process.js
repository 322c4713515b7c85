// What every process of the program does first: it checks its Node, follows its parent and turns the compile cache on.
import module from 'node:module';
import { stopWithParent } from './stop-with-parent.js';

/** The cache is written at the end, too, but not by a process that is killed. */
const writeCacheAfterMilliseconds = 700;
const neededVersion = 26;

export function beginProcess() {
  if (Number.parseInt(process.versions.node, 10) < neededVersion) {
    process.stderr.write(
      `Gatehouse needs Node ${neededVersion}, and this is Node ${process.versions.node}. npm ci has installed the right one into the project: run npm start, or npx gatehouse.\n`,
    );
    process.exit(1);
  }
  stopWithParent();
  module.enableCompileCache();
  setTimeout(module.flushCompileCache, writeCacheAfterMilliseconds).unref();
}
