// Compiles validators on first use or soon after the start, so that the start does not wait for the compiler or its schemas.
import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';

type Validator = ReturnType<FastifySchemaCompiler<unknown>>;

const require = createRequire(import.meta.url);
const warmUpDelayMilliseconds = 2000;

export type Validators = {
  readonly build: BuildCompilerFromPool;
  /** Compiles all validators one by one, starting two seconds after the server listens. */
  warmUp(server: FastifyInstance): void;
};

export function createValidators(): Validators {
  const waiting: (() => void)[] = [];
  const build: Validators['build'] = (schemas, options) => {
    let compile: ReturnType<BuildCompilerFromPool> | undefined;
    return (route) => {
      let compiled: ReturnType<ReturnType<BuildCompilerFromPool>> | undefined;
      const ready = () => {
        compile ??= loadCompiler()(schemas, options);
        compiled ??= compile(route);
        return compiled;
      };
      waiting.push(ready);
      const validate: Validator = (data: unknown) => {
        const check = ready();
        return check(data) === true ? true : { error: check.errors as unknown as Error };
      };
      return validate as never;
    };
  };
  return {
    build,
    warmUp: (server) => {
      let timer: NodeJS.Timeout;
      const next = () => {
        waiting.shift()?.();
        if (waiting.length > 0) timer = setTimeout(next, 5).unref();
      };
      server.addHook('onListen', () => {
        timer = setTimeout(next, warmUpDelayMilliseconds).unref();
      });
      server.addHook('onClose', () => clearTimeout(timer));
    },
  };
}

function loadCompiler(): BuildCompilerFromPool {
  const { AjvCompiler } = require('@fastify/ajv-compiler') as typeof import('@fastify/ajv-compiler');
  return AjvCompiler();
}
