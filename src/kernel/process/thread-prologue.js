// The first steps of a thread that loads what the process has loaded by --import, such as tracing: it turns on the compile cache, then runs the thread.
import module from 'node:module';

module.enableCompileCache();
setTimeout(module.flushCompileCache, 700).unref();
await import(process.argv[2] ?? '');
