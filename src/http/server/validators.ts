// Validators are compiled when they are first needed, or soon after the start: neither a compiler nor fifty schemas keep anyone waiting for it.
import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';

type Validator = ReturnType<FastifySchemaCompiler<unknown>>;

const require = createRequire(import.meta.url);
const calmMilliseconds = 2000;

export type Validators = {
  readonly build: BuildCompilerFromPool;
  /** Some time after the server listens, one after the other. */
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
        const judge = ready();
        return judge(data) === true ? true : { error: judge.errors as unknown as Error };
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
        timer = setTimeout(next, calmMilliseconds).unref();
      });
      server.addHook('onClose', () => clearTimeout(timer));
    },
  };
}

function loadCompiler(): BuildCompilerFromPool {
  const { AjvCompiler } = require('@fastify/ajv-compiler') as typeof import('@fastify/ajv-compiler');
  return AjvCompiler();
}
