#!/usr/bin/env node
// Where it begins: plain JavaScript, so that nothing loads what reads TypeScript, some 15 MiB that stay.
import module from 'node:module';
import { findProgram } from './find-program.js';
import { stopWithParent } from './stop-with-parent.js';

/** The cache is written at the end, too, but not by a process that is killed. */
const writeCacheAfterMilliseconds = 700;
const neededVersion = 26;

if (Number.parseInt(process.versions.node, 10) < neededVersion) {
  process.stderr.write(
    `Gatehouse needs Node ${neededVersion}, and this is Node ${process.versions.node}. npm ci has installed the right one into the project: run npm start, or npx gatehouse.\n`,
  );
  process.exit(1);
}
stopWithParent();
module.enableCompileCache();
setTimeout(module.flushCompileCache, writeCacheAfterMilliseconds).unref();
await import(await findProgram());
