#!/usr/bin/env node
// Where it begins: plain JavaScript, so that nothing loads what reads TypeScript, some 15 MiB that stay.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { findProgram } from './find-program.js';

/** The cache is written at the end, too, but not by a process that is killed. */
const writeCacheAfterMilliseconds = 700;

enableCompileCache();
setTimeout(flushCompileCache, writeCacheAfterMilliseconds).unref();
await import(await findProgram());
