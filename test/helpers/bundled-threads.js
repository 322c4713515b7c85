// Preloaded by the test run: a thread of a test starts from the build, as in production, and not from hundreds of sources.
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { TEST_PROGRAM: program } = process.env;

if (!isMainThread && program !== undefined) {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const [, name] = /\/src\/(?:[\w-]+\/)*([\w-]+-thread)\.ts$/.exec(specifier) ?? [];
      if (name === undefined) return next(specifier, context);
      // Only the first import of a thread is its entry.
      hooks.deregister();
      return next(new URL(`${name}.js`, program).href, context);
    },
  });
}
