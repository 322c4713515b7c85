// Generated files import each other without an ending, as a bundler allows. This finds them for Node.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      for (const ending of ['.ts', '/index.ts']) {
        try {
          return next(`${specifier}${ending}`, context);
        } catch {}
      }
      throw error;
    }
  },
});
