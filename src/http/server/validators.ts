// Compiles validators on first use or soon after the start, so that the start does not wait for the compiler or its schemas.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject } from 'ajv';
import type { Schema } from '../interface/schema.ts';

const require = createRequire(import.meta.url);
const warmUpDelayMilliseconds = 2000;

/** Returns the name of the field that breaks the schema, or undefined if none does. */
type Check = (data: unknown) => string | undefined;

export type Validators = {
  add(schema: Schema): Check;
  /** Compiles all validators one by one, starting two seconds after the server listens. */
  warmUp(server: Server): void;
};

export function createValidators(): Validators {
  const waiting: (() => unknown)[] = [];
  let ajv: Ajv | undefined;
  return {
    add: (schema) => {
      let compiled: ReturnType<Ajv['compile']> | undefined;
      const ready = () => {
        ajv ??= createAjv();
        compiled ??= ajv.compile(schema);
        return compiled;
      };
      waiting.push(ready);
      return (data) => {
        const isValid = compiled ?? ready();
        return isValid(data) ? undefined : fieldOf(isValid.errors ?? []);
      };
    },
    warmUp: (server) => {
      let timer: NodeJS.Timeout;
      const next = () => {
        waiting.shift()?.();
        if (waiting.length > 0) timer = setTimeout(next, 5).unref();
      };
      const begin = () => {
        timer = setTimeout(next, warmUpDelayMilliseconds).unref();
      };
      if (server.listening) begin();
      else server.once('listening', begin);
      server.once('close', () => clearTimeout(timer));
    },
  };
}

function createAjv(): Ajv {
  const { Ajv } = require('ajv') as typeof import('ajv');
  // The schemas are part of the program: a test checks them, so that no start compiles the schema of schemas.
  return new Ajv({ addUsedSchema: false, allErrors: false, validateSchema: false, meta: false });
}

/** A missing field by its name, a wrong one by its path. */
export function fieldOf(errors: readonly Pick<ErrorObject, 'params' | 'instancePath'>[]): string {
  const [first] = errors;
  const missing: unknown = first?.params.missingProperty;
  if (typeof missing === 'string') return missing;
  const path = first?.instancePath.split('/').filter((part) => part !== '');
  return path === undefined || path.length === 0 ? 'body' : path.join('.');
}
